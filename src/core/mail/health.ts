import type { Db } from '../../storage/index.ts'
import type { SystemTx } from '../kernel/context.ts'

/** What the outbox says about the mail server. */
export interface MailHealth {
  /** Why the mail server doesn't accept email; null if it does, or hasn't been needed yet. */
  failure: string | null
  /** When that began, in seconds since 1970. */
  since: number | null
  /** Emails in each state. Ended ones are removed after some weeks. */
  counts: { queued: number; sending: number; sent: number; failed: number; dropped: number }
}

/** Returns why the mail server doesn't accept email; undefined if it does. */
export const mailFailure = (db: Db) =>
  db.selectFrom('mail_failure').select(['failure', 'since']).limit(1).executeTakeFirst()

export async function mailHealth(db: Db): Promise<MailHealth> {
  const failing = await mailFailure(db)
  const rows = await db
    .selectFrom('mail')
    .select('state')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .groupBy('state')
    .execute()
  const counts = { queued: 0, sending: 0, sent: 0, failed: 0, dropped: 0 }
  for (const { state, count } of rows) counts[state] = Number(count)
  return { failure: failing?.failure ?? null, since: failing?.since ?? null, counts }
}

/** What is known of the mailbox from which email comes in. */
export interface MailboxHealth {
  /** Why it can't be read; null if it can, and without a mailbox. */
  failure: string | null
  /** When that began, in seconds since 1970. */
  since: number | null
}

export async function mailboxHealth(db: Db): Promise<MailboxHealth> {
  const failing = await db.selectFrom('mailbox_failure').select(['failure', 'since']).executeTakeFirst()
  return failing ?? { failure: null, since: null }
}

/** Stores that the mailbox can't be read, and since when. */
export async function noteMailboxFailure({ db }: SystemTx, failure: string, now: number): Promise<void> {
  const last = { failure, tried_at: now }
  const changed = await db.updateTable('mailbox_failure').set(last).returning('since').executeTakeFirst()
  if (!changed)
    await db
      .insertInto('mailbox_failure')
      .values({ ...last, since: now })
      .execute()
}

export const noteMailboxWorking = async ({ db }: SystemTx): Promise<void> =>
  void (await db.deleteFrom('mailbox_failure').execute())

/** Stores that the mail server itself fails, and since when. */
export async function noteFailure({ db }: SystemTx, failure: string, since: number): Promise<void> {
  const changed = await db.updateTable('mail_failure').set({ failure }).returning('since').executeTakeFirst()
  if (!changed) await db.insertInto('mail_failure').values({ failure, since }).execute()
}

export const noteWorking = async ({ db }: SystemTx): Promise<void> =>
  void (await db.deleteFrom('mail_failure').execute())
