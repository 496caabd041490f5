import type { Selectable } from 'kysely'
import { type QueueTable, statement } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { HEARTBEAT_SECONDS, SWEEP_SECONDS } from '../../kernel/base/limits.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { storeOf } from '../../kernel/store.ts'
import { busOf } from './bus.ts'
import { dropQueues } from './end-queues.ts'
import { badQueue, isIdle, type Queue, type QueueOptions, queueIdsOf, queuesInUse } from './queues.ts'

/** Returns the caller's queue. Missing, expired and other users' queues give the same error. */
export async function findQueue(caller: Caller, queue_id: string): Promise<Queue> {
  const { chat, user } = caller
  const queue = queuesInUse(chat).get(queue_id) ?? (await load(caller, queue_id))
  if (!queue || queue.user_id !== user.id) throw badQueue(queue_id)
  if (isIdle(queue, seconds(chat.clock)) && (await isIdleForAll(caller, queue))) {
    // It has expired, but the sweep hasn't removed it yet. Once rejected, it must stay rejected.
    await caller.write((tx) => dropQueues(tx, [queue_id]))
    throw badQueue(queue_id)
  }
  return queue
}

/** Another process may have served it since. */
async function isIdleForAll({ chat, db }: Caller, queue: Queue): Promise<boolean> {
  if (!storeOf(chat).peers) return true
  const [row] = await byId(db, { id: queue.id })
  if (row) queue.lastUsed = lastUsedOf(row, chat, queue)
  return isIdle(queue, seconds(chat.clock))
}

/** The maximum time until another process's poll is recorded: its duration and the delay of the write. */
const WRITTEN_LATE_SECONDS = HEARTBEAT_SECONDS + 2 * SWEEP_SECONDS

/** Returns when a queue was last used, here or through another process, at the latest. */
export function lastUsedOf(
  { last_used_at }: Pick<Selectable<QueueTable>, 'last_used_at'>,
  chat: Chat,
  here?: Pick<Queue, 'lastUsed'>,
): number {
  const late = storeOf(chat).peers ? WRITTEN_LATE_SECONDS : 0
  // While the server was down, clients couldn't use a queue, so its idle time starts again.
  return Math.max(last_used_at + late, here?.lastUsed ?? chat.openedAt)
}

const byId = statement((db, p: { id: string }) => db.selectFrom('queue').selectAll().where('id', '=', p.id))

async function load({ chat, db }: Caller, queue_id: string): Promise<Queue | undefined> {
  const [row] = await byId(db, { id: queue_id })
  if (!row) return undefined
  const queues = queuesInUse(chat)
  // Two polls may load it at the same time, but there must be one Queue object per id.
  const queue = queues.get(queue_id) ?? fromRow(row, chat)
  queues.set(queue_id, queue)
  return queue
}

const fromRow = (row: Selectable<QueueTable>, chat: Chat): Queue => ({
  id: row.id,
  user_id: row.user_id,
  key_id: row.key_id,
  options: JSON.parse(row.options),
  start: row.start_event_id,
  lifespan: row.lifespan_seconds,
  acked: row.acked_event_id,
  lastUsed: lastUsedOf(row, chat),
  saved: true,
})

/** Throws if the caller has the maximum number of queues. */
export async function requireFreeQueue({ db, user, chat }: Caller): Promise<void> {
  const { queuesPerUser } = chat.options.limits
  const owned = await queueIdsOf(db, user.id)
  if (owned.length >= queuesPerUser) {
    throw badRequest(`Too many event queues; at most ${queuesPerUser} per user`)
  }
}

/** A queue that starts at a position of the log. */
export async function createQueue(tx: Tx, options: QueueOptions, start: number, lifespan: number): Promise<string> {
  const { chat, user } = tx
  await requireFreeQueue(tx)
  const row: Selectable<QueueTable> = {
    id: randomText(chat.random, 32),
    user_id: user.id,
    client: tx.client,
    key_id: tx.key_id ?? null,
    options: JSON.stringify(options),
    start_event_id: start,
    acked_event_id: start,
    lifespan_seconds: lifespan,
    last_used_at: seconds(chat.clock),
  }
  await tx.db.insertInto('queue').values(row).execute()
  tx.afterCommit(() => {
    queuesInUse(chat).set(row.id, fromRow(row, chat))
    busOf(chat).watch()
  })
  return row.id
}
