import type { Context, SystemTx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { BOUNCED } from './bounce-address.ts'
import { dropMail, type MailRow, retryMail } from './outbox.ts'

export const mailStates = ['queued', 'sending', 'sent', 'failed', 'dropped'] as const
export type MailState = (typeof mailStates)[number]

/** Selects emails with the address they go to, or would go to. */
export const selectMails = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('mail')
    .leftJoin('user', 'user.id', 'mail.user_id')
    .select(['mail.id', 'mail.kind', 'mail.state', 'mail.attempts', 'mail.next_at', 'mail.failure', 'mail.created_at'])
    .select((eb) => eb.fn.coalesce('mail.address', 'user.delivery_email').as('address'))

/** Suppressed addresses in one answer. */
export const MAX_SUPPRESSED = 1000

/** Returns the addresses that get no email, longest ago first: the newest thousand. */
export async function suppressedAddresses({ db }: Pick<Context, 'db'>) {
  const rows = await db
    .selectFrom('mail_suppressed')
    .select(['address', 'reason', 'since'])
    .orderBy('since', 'desc')
    .orderBy('address_key', 'desc')
    .limit(MAX_SUPPRESSED)
    .execute()
  return rows.reverse()
}

/** Lets an email be sent immediately, also if its address was suppressed. */
export const retryWaiting = async (tx: SystemTx, id: number): Promise<void> => retryMail(tx, await unsent(tx, id))

/** Ends an email that waits. */
export async function dropWaiting(tx: SystemTx, id: number): Promise<void> {
  const { state } = await unsent(tx, id)
  if (state === 'failed') throw badRequest(`Email ${id} has already failed`)
  await dropMail(tx, id, 'dropped by an administrator')
}

async function unsent({ db }: SystemTx, id: number): Promise<MailRow> {
  const row = await db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw badRequest(`There is no email ${id}`)
  if (row.state === 'sent') throw badRequest(`Email ${id} was sent`)
  if (row.data === BOUNCED) throw badRequest(`Email ${id} was sent and came back. Repeat what caused it`)
  if (row.state === 'dropped') throw badRequest(`Email ${id} was dropped: ${row.failure}`)
  return row
}
