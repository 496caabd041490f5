import { dropQueues } from '../../events/log/end-queues.ts'
import { thumbnailerOf } from '../../files/thumbnailer.ts'
import { recordAct } from '../../kernel/audit.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { type Caller, contextOf, type Tx } from '../../kernel/context.ts'
import { inSlices, whileMore } from '../../kernel/slices.ts'
import { updateRecentActivity } from '../../messages/retention/inactive-streams.ts'
import { keepFirstMessage } from '../../messages/send/first-message.ts'
import { recountSubscribers } from '../../streams/subscriber-count.ts'
import type { Journal } from './journal.ts'
import type { ImportReport } from './report.ts'
import { beginPeriod, endPeriod, type OpenPeriods } from './write-messages.ts'
import type { Range } from './write-places.ts'

/** Data about subscriptions that is complete only after all messages are imported. */
export interface Ending {
  /** People who have read a channel up to a time. */
  readUntil: readonly { user_id: number; stream_id: number; until: number }[]
  /** Subscribers of channels with protected history. */
  protectedSubscribers: ReadonlyMap<number, ReadonlySet<number>>
  openPeriods: OpenPeriods
}

/** The last steps; each may run again. */
export async function finishImport(
  caller: Caller,
  journal: Journal,
  range: Range,
  { readUntil, protectedSubscribers, openPeriods }: Ending,
  { report, file }: { report: ImportReport; file: string },
): Promise<void> {
  const boundaries = new Map<number, number>()
  for (const { until } of readUntil)
    if (!boundaries.has(until)) boundaries.set(until, await newestBefore(caller, range, until))
  await inSlices(caller, readUntil, 200, async (tx, slice) => {
    for (const { user_id, stream_id, until } of slice) {
      await shorten(tx, user_id, stream_id, range, boundaries.get(until)!)
    }
  })
  await whileMore(caller, (tx) => markUnread(tx, journal.import_id, range))
  for (const [stream_id, subscribers] of protectedSubscribers) {
    await caller.write(async (tx) => {
      const open = openPeriods.get(stream_id) ?? new Set()
      for (const user_id of subscribers)
        if (!open.has(user_id)) await beginPeriod(tx, stream_id, user_id, range.last + 1)
      for (const user_id of open) if (!subscribers.has(user_id)) await endPeriod(tx, stream_id, user_id, range.last + 1)
    })
  }
  const streams = await caller.db
    .selectFrom('import_object')
    .select('object_id')
    .where('import_id', '=', journal.import_id)
    .where('kind', '=', 'channel')
    .execute()
  await inSlices(caller, [...new Set(streams.map((row) => row.object_id))], 20, async (tx, ids) => {
    await keepFirstMessage(tx, ids)
    await recountSubscribers(tx, ids)
  })
  await updateRecentActivity(caller.chat)
  await caller.write(async (tx) => {
    const finished_at = seconds(tx.chat.clock)
    const values = { finished_at, report: JSON.stringify(report) }
    await tx.db.updateTable('import').set(values).where('id', '=', journal.import_id).execute()
    await recordAct(tx, { action: 'import', subject_kind: 'import', subject_id: journal.import_id, after: { file } })
    await restartClients(tx)
  })
  thumbnailerOf(caller.chat).wake()
}

/** Ends all queues, so that clients register again: imports send no events. */
export async function restartClients(tx: Tx): Promise<void> {
  const queues = await tx.db.selectFrom('queue').select('id').execute()
  await dropQueues(
    tx,
    queues.map((queue) => queue.id),
  )
}

/** The newest message of the range that was sent no later than `until`. Dates ascend with the IDs. */
async function newestBefore(caller: Caller, { first, last }: Range, until: number): Promise<number> {
  let [low, high] = [first - 1, last]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const row = await contextOf(caller.chat)
      .db.selectFrom('message')
      .select(['id', 'sent_at'])
      .where('id', '<=', middle)
      .where('id', '>=', first)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!row || row.sent_at <= until) low = middle
    else high = row.id - 1
  }
  return low
}

async function shorten(tx: Tx, user_id: number, stream_id: number, { first }: Range, hi: number): Promise<void> {
  const own = (table: 'read_range') =>
    tx.db
      .selectFrom(table)
      .select('lo')
      .where('user_id', '=', user_id)
      .where('conversation_id', '=', stream_id)
      .where('lo', '=', first)
  if (!(await own('read_range').executeTakeFirst())) return
  const where = { user_id, conversation_id: stream_id, lo: first }
  if (hi < first) {
    await tx.db
      .deleteFrom('read_range')
      .where('user_id', '=', user_id)
      .where('conversation_id', '=', stream_id)
      .where('lo', '=', where.lo)
      .execute()
    return
  }
  await tx.db
    .updateTable('read_range')
    .set({ hi })
    .where('user_id', '=', user_id)
    .where('conversation_id', '=', stream_id)
    .where('lo', '=', where.lo)
    .execute()
}

/** Removes one person's unread messages in a conversation from their read ranges. Returns whether more are left. */
async function markUnread(tx: Tx, import_id: number, { first, last }: Range): Promise<boolean> {
  const next = await tx.db
    .selectFrom('import_unread')
    .select(['user_id', 'conversation_id', 'message_id'])
    .orderBy('user_id')
    .orderBy('conversation_id')
    .orderBy('message_id')
    .limit(1)
    .executeTakeFirst()
  if (!next) return false
  const { user_id, conversation_id } = next
  const rows = await tx.db
    .selectFrom('message')
    .leftJoin('import_unread', (join) =>
      join.onRef('import_unread.message_id', '=', 'message.id').on('import_unread.user_id', '=', user_id),
    )
    .select(['message.id', 'import_unread.user_id as unread'])
    .where('message.conversation_id', '=', conversation_id)
    .where('message.id', '>=', next.message_id)
    .where('message.id', '<=', last)
    .orderBy('message.id')
    .execute()
  const ranges: { lo: number; hi: number }[] = next.message_id > first ? [{ lo: first, hi: next.message_id - 1 }] : []
  let lo: number | undefined
  for (const { id, unread } of rows) {
    if (unread === null) {
      lo ??= id
      continue
    }
    if (lo !== undefined) ranges.push({ lo, hi: id - 1 })
    lo = undefined
  }
  if (lo !== undefined) ranges.push({ lo, hi: last })
  const own = tx.db
    .deleteFrom('read_range')
    .where('user_id', '=', user_id)
    .where('conversation_id', '=', conversation_id)
  await own.where('lo', '>=', first).where('lo', '<=', last).execute()
  for (const range of ranges)
    await tx.db
      .insertInto('read_range')
      .values({ user_id, conversation_id, ...range })
      .execute()
  await tx.db
    .deleteFrom('import_unread')
    .where('import_id', '=', import_id)
    .where('user_id', '=', user_id)
    .where('conversation_id', '=', conversation_id)
    .execute()
  return true
}
