import { dropQueues } from '../../events/log/end-queues.ts'
import { thumbnailerOf } from '../../files/thumbnailer.ts'
import { recordAct } from '../../kernel/audit.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { type Caller, contextOf, type Tx } from '../../kernel/context.ts'
import { inSlices } from '../../kernel/slices.ts'
import { updateRecentActivity } from '../../messages/retention/inactive-streams.ts'
import { keepFirstMessage } from '../../messages/send/first-message.ts'
import { schedulerOf } from '../../messages/send/schedule.ts'
import { recountSubscribers } from '../../streams/subscriber-count.ts'
import { inSteps } from './brought.ts'
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

/** In the first write of a step. Later ones have as many as fit into a short time. */
const FIRST_UNREAD = 100
const FIRST_PERIODS = 20

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
  await inSlices(caller, readUntil, 20, async (tx, slice) => {
    for (const { user_id, stream_id, until } of slice) {
      await shorten(tx, user_id, stream_id, range, boundaries.get(until)!)
    }
  })
  await inSteps(caller, FIRST_UNREAD, markUnread)
  const none: ReadonlySet<number> = new Set()
  for (const [stream_id, subscribers] of protectedSubscribers) {
    const open = openPeriods.get(stream_id) ?? none
    const others = [...subscribers].filter((user_id) => !open.has(user_id))
    const former = [...open].filter((user_id) => !subscribers.has(user_id))
    await inSlices(caller, others, FIRST_PERIODS, async (tx, slice) => {
      for (const user_id of slice) await beginPeriod(tx, stream_id, user_id, range.last + 1)
    })
    await inSlices(caller, former, FIRST_PERIODS, async (tx, slice) => {
      for (const user_id of slice) await endPeriod(tx, stream_id, user_id, range.last + 1)
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
  schedulerOf(caller.chat).wake()
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
    // An unread message may end it earlier.
    .where('hi', '>', hi)
    .execute()
}

/** Removes some unread messages of one person in one conversation from their read ranges. Returns how many. */
async function markUnread(tx: Tx, most: number): Promise<number> {
  const next = await tx.db
    .selectFrom('import_unread')
    .select(['user_id', 'conversation_id'])
    .orderBy('user_id')
    .orderBy('conversation_id')
    .limit(1)
    .executeTakeFirst()
  if (!next) return 0
  const { user_id, conversation_id } = next
  const unread = await tx.db
    .selectFrom('import_unread')
    .select((eb) => [
      'message_id',
      eb
        .selectFrom('message')
        .select('message.id')
        .where('message.conversation_id', '=', conversation_id)
        .whereRef('message.id', '>', 'import_unread.message_id')
        .orderBy('message.id')
        .limit(1)
        .as('following'),
    ])
    .where('user_id', '=', user_id)
    .where('conversation_id', '=', conversation_id)
    .orderBy('message_id')
    .limit(most)
    .execute()
  const [low, high] = [unread[0]!.message_id, unread.at(-1)!.message_id]
  const removed = await tx.db
    .deleteFrom('read_range')
    .where('user_id', '=', user_id)
    .where('conversation_id', '=', conversation_id)
    .where('lo', '<=', high)
    .where('hi', '>=', low)
    .returning(['lo', 'hi'])
    .execute()
  for (const range of removed.flatMap((one) => withoutUnread(one, unread)))
    await tx.db
      .insertInto('read_range')
      .values({ user_id, conversation_id, ...range })
      .execute()
  await tx.db
    .deleteFrom('import_unread')
    .where('user_id', '=', user_id)
    .where('conversation_id', '=', conversation_id)
    .where('message_id', '<=', high)
    .execute()
  return unread.length
}

interface ReadRange {
  lo: number
  hi: number
}

/** What is left of a range without some of its messages. `following` is the next message of the conversation. */
function withoutUnread(
  { lo, hi }: ReadRange,
  unread: readonly { message_id: number; following: number | null }[],
): ReadRange[] {
  const ranges: ReadRange[] = []
  let from: number | null = lo
  for (const { message_id, following } of unread) {
    if (message_id < lo || message_id > hi) continue
    if (from !== null && from < message_id) ranges.push({ lo: from, hi: message_id - 1 })
    from = following
  }
  if (from !== null && from <= hi) ranges.push({ lo: from, hi })
  return ranges
}
