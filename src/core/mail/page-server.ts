import { defineCache } from '../kernel/cache.ts'
import type { Chat } from '../kernel/chat.ts'
import type { Context } from '../kernel/context.ts'
import { configuredUrl } from '../kernel/public-url.ts'
import { secretsOf } from '../kernel/secrets.ts'

/** How the connection to a mail server is encrypted: from its start, by STARTTLS, or not at all. */
export const securities = ['tls', 'starttls', 'none'] as const

/** A mail server that owners set up in the page, without its password. */
export interface PageMailServer {
  host: string
  port: number
  security: (typeof securities)[number]
  user: string | null
  /** The sender, such as `Chat <chat@example.com>`. */
  from: string
}

/** The row of the mail server that owners set up; null without one. */
export const storedMailServer = defineCache(
  'mail server',
  async (db) => (await db.selectFrom('mail_server').selectAll().limit(1).executeTakeFirst()) ?? null,
)
export type StoredMailServer = NonNullable<Awaited<ReturnType<typeof storedMailServer.get>>>

/** Returns the members of a row. */
export const membersOf = ({ config }: StoredMailServer): PageMailServer => JSON.parse(config)

/** Returns the password of a row; null if it has none, and undefined if another secret of the server sealed it. */
export const passwordOf = (chat: Chat, { password }: StoredMailServer): string | null | undefined =>
  password === null ? null : secretsOf(chat).unseal(password)

/**
 * Returns the row of the page's mail server if it may be used. Links in emails need a public URL, and commands on a
 * stopped server have none.
 */
export const activeServer = async ({ chat, cache }: Pick<Context, 'chat' | 'cache'>) =>
  configuredUrl(chat) !== undefined && chat.options.mailSetup ? storedMailServer.get({ cache }) : null
