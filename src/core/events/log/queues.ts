import type { Db } from '../../../storage/index.ts'
import type { Chat } from '../../kernel/chat.ts'
import { ChatError } from '../../kernel/errors.ts'
import { isGuest } from '../../kernel/roles.ts'
import type { User } from '../../kernel/user.ts'

/** The options a reader registered with. */
export interface QueueOptions {
  event_types: readonly string[] | null
  narrow: readonly unknown[]
  all_public_streams: boolean
  apply_markdown: boolean
  client_gravatar: boolean
  slim_presence: boolean
  include_subscribers: boolean | 'partial'
  /** How many days back the presences in the state go; all by default. */
  presence_history_limit_days?: number | undefined
  capabilities: Readonly<Record<string, boolean>>
}

/** A reader's cursor in the log. Its position is in memory and saved at intervals, because clients send their own. */
export interface Queue {
  readonly id: string
  readonly user_id: number
  /** The API key it was registered with; it ends with that key. */
  readonly key_id: number | null
  readonly options: QueueOptions
  readonly start: number
  readonly lifespan: number
  acked: number
  lastUsed: number
  saved: boolean
  /** The current poll. A newer one replaces it. */
  poll?: Poll | undefined
  /** Whether no other process has had a waiting poll of it since the last one here. */
  isHere?: boolean | undefined
}

export interface Poll {
  /** The API key that the poll was requested with. */
  readonly key_id: number | undefined
  /** Makes it respond now. */
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

/** Returns whether it wasn't polled for longer than its lifespan. */
export const isIdle = (queue: Pick<Queue, 'poll' | 'lastUsed' | 'lifespan'>, now: number): boolean =>
  !queue.poll && now - queue.lastUsed > queue.lifespan

export async function queueIdsOf(db: Db, user_id: number): Promise<string[]> {
  const rows = await db.selectFrom('queue').select('id').where('user_id', '=', user_id).execute()
  return rows.map((row) => row.id)
}

export const isOpen = (chat: Chat, queue: Queue): boolean => queuesInUse(chat).get(queue.id) === queue

/**
 * Returns whether a reader gets the messages of all public streams: they registered for them and are still allowed to.
 * Every right from the registration is checked again like this.
 */
export const readsAllPublicStreams = ({ all_public_streams }: QueueOptions, user: Pick<User, 'role'>): boolean =>
  all_public_streams && !isGuest(user)
