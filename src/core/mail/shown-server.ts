import * as v from 'valibot'
import type { Chat } from '../kernel/chat.ts'
import type { Context } from '../kernel/context.ts'
import { integer } from '../kernel/fields.ts'
import { configuredUrl } from '../kernel/public-url.ts'
import { mailPoolOf } from './mail-service.ts'
import { membersOf, passwordOf, securities, storedMailServer } from './page-server.ts'

/** Why owners can't set up a mail server. */
export const mailLocks = ['options', 'operator', 'public_url'] as const
type MailLock = (typeof mailLocks)[number]

/** Returns why owners can't set up a mail server; null if they can. */
export function mailLockOf(chat: Chat): MailLock | null {
  if (mailPoolOf(chat).fixed) return 'options'
  if (!chat.options.mailSetup) return 'operator'
  return configuredUrl(chat) === undefined ? 'public_url' : null
}

export const mailServerShape = v.strictObject({
  host: v.string(),
  port: integer,
  security: v.picklist(securities),
  user: v.nullable(v.string()),
  from: v.string(),
  /** The password itself is never returned. */
  has_password: v.boolean(),
  /** Whether the password must be entered again, because another secret of the server encrypted it. */
  lost_password: v.boolean(),
})

/** Returns the mail server that owners set up, without its password; null if there is none. */
export async function shownMailServer(context: Pick<Context, 'chat' | 'cache'>) {
  const row = await storedMailServer.get(context)
  if (!row) return null
  const { host, port, security, user, from } = membersOf(row)
  const password = passwordOf(context.chat, row)
  return { host, port, security, user, from, has_password: password !== null, lost_password: password === undefined }
}
