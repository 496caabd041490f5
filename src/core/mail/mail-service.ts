import type { Mailbox } from '../../network/mail/mail-server.ts'
import type { Mailer, SendMail } from '../../network/mail/mailer.ts'
import type { Chat, MailOptions } from '../kernel/chat.ts'
import type { Context } from '../kernel/context.ts'
import { ChatError } from '../kernel/errors.ts'
import { DEFAULT_PUBLIC_URL } from '../kernel/public-url.ts'
import { defineService } from '../kernel/service.ts'

/** How this server sends email. */
export interface MailService {
  readonly from: Mailbox
  readonly rate: MailOptions['rate']
  readonly send: SendMail
  close(): void
}

/** Undefined if the server sends no email. */
export const mailOf = defineService<MailService | undefined>('mail')

/** Returns whether the server sends email. */
export const sendsMail = (chat: Chat): boolean => mailOf(chat) !== undefined

/** Returns how the server sends email. Throws MAIL_NOT_CONFIGURED. */
export function requireMail({ chat }: Pick<Context, 'chat'>): MailService {
  const mail = mailOf(chat)
  if (mail) return mail
  throw new ChatError(
    'MAIL_NOT_CONFIGURED',
    "This server doesn't send email. Start it with --mail-url, --mail-from and --public-url.",
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
  const [{ parseMailbox, parseMailUrl }, { createMailer }] = await Promise.all([
    import('../../network/mail/mail-server.ts'),
    import('../../network/mail/mailer.ts'),
  ])
  const mailer: Mailer = send ? { send, close: () => {} } : createMailer(parseMailUrl(url!), dkim)
  return { from: parseMailbox(from), rate, ...mailer }
}
