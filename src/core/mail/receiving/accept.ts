import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import { isChatError } from '../../kernel/errors.ts'
import { receiveBounce } from './bounce.ts'
import { parseMail, UnreadableMail } from './parse-mail.ts'
import { type Received, receive } from './receive.ts'
import { requireRate } from './received.ts'
import { MailRefused } from './refused.ts'
import { findArrival } from './target.ts'

/** The largest email. */
export const MAX_MAIL_BYTES = 25 * 1024 * 1024
/** Recipients of one email. */
export const MAX_RECIPIENTS = 10

export interface ArrivingMail {
  /** The email. Its memory may be taken over. */
  raw: Uint8Array
  /** Addresses of the envelope. */
  recipients: readonly string[]
  /** Empty for bounces, undefined if unknown. */
  envelopeFrom?: string | undefined
}

/**
 * Posts an email for each of its recipients, or learns of one that came back, and returns the outcome for each once it is on disk. Never throws: if an email
 * can't be posted now, the outcome asks for another attempt.
 */
export async function acceptMail(chat: Chat, { raw, recipients, envelopeFrom }: ArrivingMail) {
  const results: (Received | MailRefused)[] = []
  const size = raw.byteLength
  let parsed: ReturnType<typeof parseMail> | undefined
  for (const recipient of recipients) {
    try {
      const context = contextOf(chat)
      const target = await findArrival(context, recipient)
      await requireRate(context, target.key)
      if (size > MAX_MAIL_BYTES) throw new MailRefused(552, '5.3.4', 'The email is too large')
      parsed ??= parseMail(raw)
      const mail = await parsed
      results.push(
        target.kind === 'bounce'
          ? await receiveBounce(chat, target, mail)
          : await receive(chat, target, mail, envelopeFrom),
      )
    } catch (error) {
      results.push(refusal(chat, error))
    }
  }
  return results
}

/** Returns the reply for a failure. Whatever isn't the email's fault may pass. */
export function refusal(chat: Chat, error: unknown): MailRefused {
  if (error instanceof MailRefused) return error
  if (error instanceof UnreadableMail) return new MailRefused(554, '5.6.0', error.message)
  if (!isChatError(error)) chat.options.logger.error({ err: error }, 'an email could not be received')
  return new MailRefused(451, '4.3.0', 'The email could not be stored. Try again later')
}
