import * as v from 'valibot'
import { contextOf, type SystemTx } from '../../core/kernel/context.ts'
import { badRequest } from '../../core/kernel/errors.ts'
import { publicUrlOf } from '../../core/kernel/public-url.ts'
import { requireMail } from '../../core/mail/mail-service.ts'
import { dropMail as drop, type MailRow, retryMail as retry } from '../../core/mail/outbox.ts'
import { sendTestMail } from '../../core/mail/test-mail.ts'
import { MailFailed } from '../../network/mail/mail-failed.ts'
import { command, email } from './command.ts'

/** Sends a test email, and returns the mail server's reply. */
export const testMail = command(v.object({ address: email }), async (chat, { address }) => {
  const mail = requireMail(contextOf(chat))
  try {
    const { clock, random } = chat
    return { address, reply: await sendTestMail(mail, address, { publicUrl: publicUrlOf(chat), clock, random }) }
  } catch (error) {
    throw error instanceof MailFailed ? badRequest(error.message) : error
  }
})

const states = ['queued', 'sending', 'sent', 'failed', 'dropped'] as const

/** Returns the emails of the outbox, oldest first, and the addresses that get none. */
export const listMail = command(v.object({ state: v.optional(v.picklist(states)) }), async (chat, { state }) => {
  const { db } = contextOf(chat)
  let query = db
    .selectFrom('mail')
    .leftJoin('user', 'user.id', 'mail.user_id')
    .select(['mail.id', 'mail.kind', 'mail.state', 'mail.attempts', 'mail.next_at', 'mail.failure', 'mail.created_at'])
    .select((eb) => eb.fn.coalesce('mail.address', 'user.delivery_email').as('address'))
    .orderBy('mail.id')
  if (state !== undefined) query = query.where('mail.state', '=', state)
  const [mails, suppressed] = await Promise.all([
    query.execute(),
    db.selectFrom('mail_suppressed').select(['address', 'reason', 'since']).orderBy('since').execute(),
  ])
  return { mails, suppressed }
})

async function accessMail(tx: SystemTx, id: number): Promise<MailRow> {
  const row = await tx.db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw badRequest(`There is no email ${id}. Run "chat-server mail list" to list them`)
  if (row.state === 'sent') throw badRequest(`Email ${id} was sent`)
  if (row.state === 'dropped') throw badRequest(`Email ${id} was dropped: ${row.failure}`)
  return row
}

/** Lets an email be sent immediately, also if its address was suppressed. */
export const retryMail = command(v.object({ id: v.number() }), (chat, { id }) =>
  contextOf(chat).write(async (tx) => {
    await retry(tx, await accessMail(tx, id))
    return { id }
  }),
)

/** Ends an email that was not sent. */
export const dropMail = command(v.object({ id: v.number() }), (chat, { id }) =>
  contextOf(chat).write(async (tx) => {
    const row = await accessMail(tx, id)
    if (row.state === 'failed') throw badRequest(`Email ${id} has already failed`)
    await drop(tx, id, 'dropped by an administrator')
    return { id }
  }),
)
