import type { Mailbox, SendMail } from '../../network/mail/mail.ts'
import type { Mailer } from '../../network/mail/mailer.ts'
import type { Chat, MailOptions } from '../kernel/chat.ts'
import type { Context } from '../kernel/context.ts'
import { ChatError } from '../kernel/errors.ts'
import { DEFAULT_PUBLIC_URL } from '../kernel/public-url.ts'
import { defineService } from '../kernel/service.ts'
import { activeServer, membersOf, passwordOf, type StoredMailServer } from './page-server.ts'

/** A way to send email. */
export interface MailService {
  readonly from: Mailbox
  readonly rate: MailOptions['rate']
  readonly send: SendMail
  close(): void
}

/** How this process sends email. */
export interface MailPool {
  /** By the server's options. They win over the page. */
  readonly fixed: MailService | undefined
  /** Applies to the page's mail server, too. */
  readonly rate: MailOptions['rate']
  /** Whether the page's mail server may be on this machine or in a private network. */
  readonly allowPrivate: boolean
  /** What sends through the page's mail server, with the row that it was made of. */
  made?: { row: string; service: MailService } | undefined
}
export const mailPoolOf = defineService<MailPool>('mail')

type Here = Pick<Context, 'chat' | 'cache'>

/** Returns whether the server sends email: by its options, or because owners have set up a mail server. */
export const sendsMail = async (context: Here): Promise<boolean> =>
  mailPoolOf(context.chat).fixed !== undefined || isUsable(context.chat, await activeServer(context))

const isUsable = (chat: Chat, row: StoredMailServer | null): row is StoredMailServer =>
  row !== null && passwordOf(chat, row) !== undefined

/** Returns the row of the page's mail server that sends email now; undefined if the server's options decide. */
export const rowInUse = async ({ chat, cache }: Here): Promise<string | undefined> =>
  mailPoolOf(chat).fixed ? undefined : JSON.stringify(await activeServer({ chat, cache }))

/** Returns how the server sends email now; undefined if it sends none. Never call it in a write. */
export async function mailOf(context: Here): Promise<MailService | undefined> {
  const pool = mailPoolOf(context.chat)
  if (pool.fixed) return pool.fixed
  const row = await activeServer(context)
  // The cache may have loaded the same row again.
  const text = JSON.stringify(row)
  if (pool.made?.row === text) return pool.made.service
  const made = isUsable(context.chat, row) && { row: text, service: await openPageServer(context.chat, row) }
  // Another call may have made it at the same time.
  if (made && pool.made?.row === text) return pool.made.service
  pool.made?.service.close()
  pool.made = made || undefined
  return pool.made?.service
}

/** Ends open connections. */
export function closeMail({ fixed, made }: MailPool): void {
  fixed?.close()
  made?.service.close()
}

async function openPageServer(chat: Chat, row: StoredMailServer): Promise<MailService> {
  const [{ parseMailbox }, { createMailer }] = await networkParts()
  const { host, port, security, user, from } = membersOf(row)
  const { rate, allowPrivate } = mailPoolOf(chat)
  const mailer = createMailer({
    ...{ kind: 'smtp', host, port, ca: undefined, isPublic: !allowPrivate },
    secure: security === 'tls',
    tls: security === 'none' ? 'none' : 'required',
    user: user ?? undefined,
    password: passwordOf(chat, row) ?? undefined,
  })
  return { from: parseMailbox(from), rate, ...mailer }
}

const networkParts = () =>
  Promise.all([import('../../network/mail/mail-server.ts'), import('../../network/mail/mailer.ts')])

/** Returns how the server sends email. Throws MAIL_NOT_CONFIGURED. */
export async function requireMail(context: Here): Promise<MailService> {
  const mail = await mailOf(context)
  if (mail) return mail
  throw new ChatError(
    'MAIL_NOT_CONFIGURED',
    "This server doesn't send email. Start it with --mail-url, --mail-from and --public-url, or set up a mail server under Settings › Email.",
  )
}

/**
 * Checks the options and loads what sends email; undefined if they aren't given. Links in emails never depend on a
 * request, whose Host header a stranger chooses, so the public URL is required.
 *
 * @throws Error for an invalid address of the mail server or sender, or without a public URL
 */
export async function openMail(
  { url, from, send, dkim, rate }: MailOptions,
  publicUrl: string | undefined,
): Promise<MailService | undefined> {
  if (!url && !send) {
    if (from) throw new Error('--mail-from needs --mail-url, such as smtp://mail.example.com:587')
    return undefined
  }
  if (!from) throw new Error('--mail-url needs --mail-from, such as "Chat <chat@example.com>"')
  if (publicUrl === undefined || publicUrl === DEFAULT_PUBLIC_URL) {
    throw new Error('--mail-url needs --public-url, because emails contain links to this server')
  }
  const [{ parseMailbox, parseMailUrl }, { createMailer }] = await networkParts()
  const mailer: Mailer = send ? { send, close: () => {} } : createMailer(parseMailUrl(url!), dkim)
  return { from: parseMailbox(from), rate, ...mailer }
}
