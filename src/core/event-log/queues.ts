import type { Selectable } from 'kysely'
import { type Db, type QueueTable, statement } from '../../storage/index.ts'
import type { Chat } from '../chat.ts'
import { seconds } from '../clock.ts'
import type { Caller, SystemTx, Tx } from '../context.ts'
import { badRequest, ChatError } from '../errors.ts'
import { DEFAULT_QUEUE_LIFESPAN_SECONDS, MAX_QUEUE_LIFESPAN_SECONDS, MAX_QUEUES_PER_USER } from '../limits.ts'
import { randomText } from '../random.ts'
import { dialectOf } from '../store.ts'

/** What a reader asked for at register. */
export interface QueueOptions {
  event_types: readonly string[] | null
  narrow: readonly unknown[]
  all_public_streams: boolean
  apply_markdown: boolean
  client_gravatar: boolean
  slim_presence: boolean
  include_subscribers: boolean
  capabilities: Readonly<Record<string, boolean>>
}

/** A reader's cursor in the log. Its position is in memory and saved now and then: the client brings its own. */
export interface Queue {
  readonly id: string
  readonly user_id: number
  readonly options: QueueOptions
  readonly start: number
  readonly lifespan: number
  acked: number
  lastUsed: number
  saved: boolean
  /** The poll in progress; a newer one takes its place. */
  poll?: Poll | undefined
}

export interface Poll {
  /** Asks it to come to an end now. */
  end(): void
}

/** Queues in use, by id. */
export type Queues = Map<string, Queue>
const open = new WeakMap<Chat, Queues>()

export function queuesInUse(chat: Chat): Queues {
  const known = open.get(chat)
  if (known) return known
  const queues: Queues = new Map()
  open.set(chat, queues)
  return queues
}

export const badQueue = (queue_id: string): ChatError =>
  new ChatError('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queue_id}`, { queue_id })

/** The caller's queue. Absent, expired and other people's queues get the same answer. */
export async function findQueue(caller: Caller, queue_id: string): Promise<Queue> {
  const { chat, user } = caller
  const queue = queuesInUse(chat).get(queue_id) ?? (await load(caller, queue_id))
  if (!queue || queue.user_id !== user.id) throw badQueue(queue_id)
  if (isIdle(queue, seconds(chat.clock))) {
    // Its time is over though nobody has swept yet; what is refused once stays refused.
    await caller.write((tx) => dropQueues(tx, [queue_id]))
    throw badQueue(queue_id)
  }
  return queue
}

const byId = statement((db, p: { id: string }) => db.selectFrom('queue').selectAll().where('id', '=', p.id))

async function load({ chat, db }: Caller, queue_id: string): Promise<Queue | undefined> {
  const [row] = await byId(db, { id: queue_id })
  if (!row) return undefined
  const queues = queuesInUse(chat)
  // Two polls may have asked at once; there is one Queue an id.
  const queue = queues.get(queue_id) ?? fromRow(row, chat)
  queues.set(queue_id, queue)
  return queue
}

const fromRow = (row: Selectable<QueueTable>, chat: Chat): Queue => ({
  id: row.id,
  user_id: row.user_id,
  options: JSON.parse(row.options),
  start: row.start_event_id,
  lifespan: row.lifespan_seconds,
  acked: row.acked_event_id,
  // While the server was down nobody could use a queue: its idle time starts anew.
  lastUsed: Math.max(row.last_used_at, chat.openedAt),
  saved: true,
})

/** Whether nobody has asked for its events for too long. */
export const isIdle = (queue: Pick<Queue, 'poll' | 'lastUsed' | 'lifespan'>, now: number): boolean =>
  !queue.poll && now - queue.lastUsed > queue.lifespan

/** A queue that starts at the log's position inside this write. */
export async function createQueue(tx: Tx, options: QueueOptions, start: number, lifespan?: number): Promise<string> {
  const { chat, user } = tx
  const owned = await queueIdsOf(tx.db, user.id)
  if (owned.length >= MAX_QUEUES_PER_USER) {
    throw badRequest(`Too many event queues; at most ${MAX_QUEUES_PER_USER} per user`)
  }
  const row: Selectable<QueueTable> = {
    id: randomText(chat.random, 32),
    user_id: user.id,
    client: tx.client,
    options: JSON.stringify(options),
    start_event_id: start,
    acked_event_id: start,
    lifespan_seconds: Math.min(Math.max(lifespan ?? DEFAULT_QUEUE_LIFESPAN_SECONDS, 1), MAX_QUEUE_LIFESPAN_SECONDS),
    last_used_at: seconds(chat.clock),
  }
  await tx.db.insertInto('queue').values(row).execute()
  tx.afterCommit(() => void queuesInUse(chat).set(row.id, fromRow(row, chat)))
  return row.id
}

/** Ends queues at once, and the polls that wait on them. */
export async function dropQueues(tx: SystemTx, queue_ids: readonly string[]): Promise<void> {
  if (queue_ids.length === 0) return
  await tx.db.deleteFrom('queue').where('id', 'in', dialectOf(tx.chat).textsIn(queue_ids)).execute()
  tx.afterCommit(() => {
    const queues = queuesInUse(tx.chat)
    for (const id of queue_ids) {
      const queue = queues.get(id)
      queues.delete(id)
      queue?.poll?.end()
    }
  })
}

/** Ends all queues of a user, who may read no longer. */
export async function dropQueuesOf(tx: Tx, user_id: number): Promise<void> {
  await dropQueues(tx, await queueIdsOf(tx.db, user_id))
  tx.afterCommit(() => {
    // Readers inside this process have no row.
    for (const [id, queue] of queuesInUse(tx.chat)) {
      if (queue.user_id !== user_id) continue
      queuesInUse(tx.chat).delete(id)
      queue.poll?.end()
    }
  })
}

export async function queueIdsOf(db: Db, user_id: number): Promise<string[]> {
  const rows = await db.selectFrom('queue').select('id').where('user_id', '=', user_id).execute()
  return rows.map((row) => row.id)
}

export const isOpen = (chat: Chat, queue: Queue): boolean => queuesInUse(chat).get(queue.id) === queue
