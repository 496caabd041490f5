import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { record } from '../../core/kernel/audit.ts'
import { contextOf, type Tx } from '../../core/kernel/context.ts'
import { badRequest } from '../../core/kernel/errors.ts'
import { publicUrlOf } from '../../core/kernel/public-url.ts'
import { requireMail } from '../../core/mail/mail-service.ts'
import { dropWaiting, mailStates, retryWaiting, selectMails, suppressedAddresses } from '../../core/mail/manage.ts'
import { readerOf } from '../../core/mail/reader.ts'
import { acceptMail, MAX_RECIPIENTS } from '../../core/mail/receiving/accept.ts'
import { MailRefused } from '../../core/mail/receiving/refused.ts'
import { sendTestMail } from '../../core/mail/test-mail.ts'
import { MailFailed } from '../../network/mail/mail-failed.ts'
import { command, email, writeAsOwner } from './command.ts'

/** Sends a test email, and returns the mail server's reply. */
export const testMail = command(v.object({ address: email }), async (chat, { address }) => {
  const context = contextOf(chat)
  const mail = await requireMail(context)
  try {
    const { clock, random } = chat
    const from = { publicUrl: publicUrlOf(chat), clock, random, reader: await readerOf(context, undefined) }
    return { address, reply: await sendTestMail(mail, address, from) }
  } catch (error) {
    throw error instanceof MailFailed ? badRequest(error.message) : error
  }
})

/**
 * Posts an email that a mail server passes to the command. Large ones come in a file, which only this user can read, because
 * decoding them from JSON would delay everybody.
 */
export const receiveMail = command(
  v.object({
    content: v.union([v.object({ base64: v.string() }), v.object({ file: v.string() })]),
    recipients: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_RECIPIENTS)),
    sender: v.optional(v.string()),
  }),
  async (chat, { content, recipients, sender }) => {
    const raw = 'file' in content ? await readFile(content.file) : Buffer.from(content.base64, 'base64')
    const results = await acceptMail(chat, { raw, recipients, envelopeFrom: sender })
    return {
      results: results.map((result, index) => ({
        recipient: recipients[index]!,
        ...(result instanceof MailRefused
          ? {
              outcome: 'rejected' as const,
              status: result.status,
              isTemporary: result.isTemporary,
              reason: result.message,
            }
          : result),
      })),
    }
  },
)

/** Returns the emails of the outbox, oldest first, and the addresses that get none. */
export const listMail = command(v.object({ state: v.optional(v.picklist(mailStates)) }), async (chat, { state }) => {
  const context = contextOf(chat)
  let query = selectMails(context).orderBy('mail.id')
  if (state !== undefined) query = query.where('mail.state', '=', state)
  const [mails, suppressed] = await Promise.all([query.execute(), suppressedAddresses(context)])
  return { mails, suppressed }
})

/** Lets an email be sent immediately, also if its address was suppressed. */
export const retryMail = command(v.object({ id: v.number() }), (chat, { id }) =>
  writeAsOwner(chat, (tx) => recorded(tx, 'retryMail', id, () => retryWaiting(tx, id))),
)

/** Ends an email that was not sent. */
export const dropMail = command(v.object({ id: v.number() }), (chat, { id }) =>
  writeAsOwner(chat, (tx) => recorded(tx, 'dropMail', id, () => dropWaiting(tx, id))),
)

/** Records the act under the name of the action that does the same. */
async function recorded(tx: Tx, action: string, id: number, work: () => Promise<void>): Promise<{ id: number }> {
  const details = () => (action === 'retryMail' ? { email: 'sent again' } : undefined)
  await record(tx, { action, rule: { subject: 'mail', id: () => id, details }, params: {} }, work)
  return { id }
}
