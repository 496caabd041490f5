import type { Selectable } from 'kysely'
import { addressKey, type MailTable } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import { randomText } from '../kernel/base/random.ts'
import { defineCache } from '../kernel/cache.ts'
import type { SystemTx } from '../kernel/context.ts'
import { sendsMail } from './mail-service.ts'

export type MailRow = Selectable<MailTable>

/** What an email is about. */
export type MailKind =
  | 'invitation'
  | 'password_reset'
  | 'email_confirmation'
  | 'email_change'
  | 'deactivated'
  | 'reactivated'
  | 'export_ready'
  | 'missed'
  | 'digest'
  | 'sign_in'
  | 'sign_up'
  | 'guessing'
  | 'welcome'

interface NewMail {
  kind: MailKind
  /** Names the cause. A second email with the same key isn't stored. */
  once: string
  /** Its receiver. Without an account, `address` says where it goes. */
  user_id?: number
  address?: string
  /** Ids of the cause, from which the text is made when it is sent. */
  data?: Readonly<Record<string, number | string>>
  /** Seconds to wait before it is sent. */
  after?: number
  /** Seconds until it is too late to send it. */
  lasts?: number
}

/** Emails that could not be sent by then are given up. */
const TWO_DAYS = 2 * 86_400

/** When the next email is due, or may be taken over; null without any. Cached because it is read after each message. */
export const nextMail = defineCache('mail', async (db) => {
  const row = await db
    .selectFrom('mail')
    .select((eb) => eb.fn.min('next_at').as('next_at'))
    .where('state', 'in', ['queued', 'sending'])
    .executeTakeFirst()
  return row?.next_at ?? null
})

/**
 * Stores an email in the write of its cause, so that it is sent if and only if the cause is committed. Does nothing if
 * the server sends no email. Returns its id, unless it was stored before.
 */
export async function enqueueMail(tx: SystemTx, mail: NewMail): Promise<number | undefined> {
  const { chat, db } = tx
  if (!(await sendsMail(tx))) return undefined
  const { kind, once, user_id = null, address = null, data = {}, after = 0, lasts = TWO_DAYS } = mail
  const now = seconds(chat.clock)
  const stored = await db
    .insertInto('mail')
    .values({
      kind,
      dedup_key: once,
      user_id,
      address,
      address_key: address === null ? null : addressKey(address),
      data: JSON.stringify(data),
      message_id: `m.${randomText(chat.random, 24)}@${new URL(chat.options.publicUrl).hostname}`,
      state: 'queued',
      next_at: now + after,
      expires_at: now + after + Math.min(lasts, TWO_DAYS),
      attempts: 0,
      failure: null,
      created_at: now,
      ended_at: null,
    })
    .onConflict((oc) => oc.column('dedup_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  nextMail.invalidate(tx)
  return stored?.id
}

/** Removes emails to an address, and whether it is suppressed, when its owner is erased. */
export async function forgetAddress(tx: SystemTx, address: string): Promise<void> {
  const key = addressKey(address)
  await tx.db.deleteFrom('mail').where('address_key', '=', key).execute()
  await tx.db.deleteFrom('mail_suppressed').where('address_key', '=', key).execute()
  nextMail.invalidate(tx)
}

/** Tries an email again for up to two days, even if its address was suppressed. */
export async function retryMail(tx: SystemTx, { id, address_key }: MailRow): Promise<void> {
  const now = seconds(tx.chat.clock)
  if (address_key !== null) await tx.db.deleteFrom('mail_suppressed').where('address_key', '=', address_key).execute()
  await tx.db
    .updateTable('mail')
    .set({ state: 'queued', next_at: now, expires_at: now + TWO_DAYS, attempts: 0, failure: null, ended_at: null })
    .where('id', '=', id)
    .execute()
  nextMail.invalidate(tx)
}

/** Removes the messages that an email was about, after it ended. */
export const forgetCandidates = async ({ db }: SystemTx, mail_id: number): Promise<void> =>
  void (await db.deleteFrom('mail_candidate').where('mail_id', '=', mail_id).execute())

/** Ends an email that won't be sent. */
export async function dropMail(tx: SystemTx, id: number, reason: string): Promise<void> {
  await tx.db
    .updateTable('mail')
    .set({ state: 'dropped', failure: reason, data: '{}', ended_at: seconds(tx.chat.clock) })
    .where('id', '=', id)
    .execute()
  await forgetCandidates(tx, id)
  nextMail.invalidate(tx)
}
