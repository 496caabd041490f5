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

export async function mailHealth(db: Db): Promise<MailHealth> {
  const failing = await db.selectFrom('mail_failure').select(['failure', 'since']).executeTakeFirst()
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

/** Stores that the mail server itself fails, and since when. */
export async function noteFailure({ db }: SystemTx, failure: string, since: number): Promise<void> {
  const changed = await db.updateTable('mail_failure').set({ failure }).returning('since').executeTakeFirst()
  if (!changed) await db.insertInto('mail_failure').values({ failure, since }).execute()
}

export const noteWorking = async ({ db }: SystemTx): Promise<void> =>
  void (await db.deleteFrom('mail_failure').execute())
