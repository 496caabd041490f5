import type { Selectable } from 'kysely'
import type { SubscriptionPeriodTable } from '../../../storage/index.ts'
import { groupBy } from '../../kernel/base/lists.ts'
import type { Context, Tx } from '../../kernel/context.ts'
import { endPeriods } from '../../streams/subscription-history.ts'

type Period = Selectable<SubscriptionPeriodTable>

/** How imports recorded the subscriptions of an account. */
export type Recorded = ReadonlyMap<number, readonly { import_id: number; source_id: string }[]>

export async function recordedSubscriptions({ db }: Context, user_id: number): Promise<Recorded> {
  const rows = await db
    .selectFrom('import_object')
    .select(['import_id', 'source_id'])
    .where('kind', '=', 'subscription')
    .where('object_id', '=', user_id)
    .execute()
  const channels = await db
    .selectFrom('import_object')
    .select(['import_id', 'source_id', 'object_id'])
    .where('kind', '=', 'channel')
    .execute()
  const streams = new Map(channels.map((row) => [`${row.import_id}\n${row.source_id}`, row.object_id]))
  return groupBy(rows, ({ import_id, source_id }) => streams.get(`${import_id}\n${source_id.split('\n')[0]}`) ?? 0)
}

/** Merges the subscriptions of a channel. An account that was subscribed before keeps its choices, also to have left. */
export async function mergeSubscriptions(
  tx: Tx,
  from: number,
  into: number,
  stream_id: number,
  recorded: Recorded,
): Promise<void> {
  const { db } = tx
  const own = await db
    .selectFrom('subscription')
    .select('is_active')
    .where('stream_id', '=', stream_id)
    .where('user_id', '=', into)
    .executeTakeFirst()
  if (own) await db.deleteFrom('subscription').where('stream_id', '=', stream_id).where('user_id', '=', from).execute()
  else
    await db
      .updateTable('subscription')
      .set({ user_id: into })
      .where('stream_id', '=', stream_id)
      .where('user_id', '=', from)
      .execute()
  for (const { import_id, source_id } of recorded.get(stream_id) ?? [])
    await db
      .updateTable('import_object')
      // An import that is undone leaves a subscription that the account had before.
      .set({ object_id: into, ...(own && { is_new: 0 }) })
      .where('import_id', '=', import_id)
      .where('kind', '=', 'subscription')
      .where('source_id', '=', source_id)
      .execute()
  if (own && !own.is_active) await endPeriods(tx, new Map([[stream_id, [from]]]))
  await mergePeriods(tx, from, into, stream_id)
}

async function mergePeriods(tx: Tx, from: number, into: number, stream_id: number): Promise<void> {
  const rows = await tx.db
    .selectFrom('subscription_period')
    .selectAll()
    .where('stream_id', '=', stream_id)
    .where('user_id', 'in', [from, into])
    .orderBy('from_message_id')
    .execute()
  await tx.db
    .deleteFrom('subscription_period')
    .where('stream_id', '=', stream_id)
    .where('user_id', 'in', [from, into])
    .execute()
  for (const { id: _, ...period } of joined(rows))
    await tx.db
      .insertInto('subscription_period')
      .values({ ...period, user_id: into })
      .execute()
}

const END = Number.POSITIVE_INFINITY

/** Periods in order, as one where they overlap. */
function joined(periods: readonly Period[]): Period[] {
  const result: Period[] = []
  for (const period of periods) {
    const last = result.at(-1)
    if (!last || period.from_message_id > (last.to_message_id ?? END)) {
      result.push({ ...period })
      continue
    }
    const isOpen = last.to_message_id === null || period.to_message_id === null
    last.from_event_id = Math.min(last.from_event_id, period.from_event_id)
    last.to_message_id = isOpen ? null : Math.max(last.to_message_id!, period.to_message_id!)
    last.to_event_id = isOpen ? null : Math.max(last.to_event_id!, period.to_event_id!)
  }
  return result
}
