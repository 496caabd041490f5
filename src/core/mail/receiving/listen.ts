import type { ListenAddress, MailListener } from '../../../network/mail/mail-listener.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import { acceptMail, MAX_MAIL_BYTES, MAX_RECIPIENTS, refusal } from './accept.ts'
import { requireRate } from './received.ts'
import { MailRefused } from './refused.ts'
import { findArrival } from './target.ts'

/**
 * Accepts email from a mail server. It is acknowledged when its message is on disk. Several processes may listen for the
 * same database.
 */
export async function startMailIn(chat: Chat, address: ListenAddress): Promise<MailListener> {
  const { listenForMail } = await import('../../../network/mail/mail-listener.ts')
  const context = contextOf(chat)
  return listenForMail({
    ...address,
    name: new URL(chat.options.publicUrl).hostname,
    maxBytes: MAX_MAIL_BYTES,
    maxRecipients: MAX_RECIPIENTS,
    async checkRecipient(recipient) {
      try {
        await requireRate(context, (await findArrival(context, recipient)).key)
      } catch (error) {
        throw refusal(chat, error)
      }
    },
    async receive(mail) {
      const results = await acceptMail(chat, mail)
      return results.map((result) => (result instanceof MailRefused ? result : undefined))
    },
  })
}
