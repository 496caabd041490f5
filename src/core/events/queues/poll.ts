import * as v from 'valibot'
import { requireKey } from '../../accounts/keys.ts'
import { action } from '../../kernel/action.ts'
import type { FeedEvent } from '../../kernel/answers.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { HEARTBEAT_SECONDS } from '../../kernel/base/limits.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { bool, described, integer, text } from '../../kernel/fields.ts'
import { empty } from '../../shapes/values.ts'
import { busOf } from '../log/bus.ts'
import { emit, writeTransient } from '../log/emit.ts'
import { dropQueues } from '../log/end-queues.ts'
import { prunedUpTo } from '../log/event-ids.ts'
import { catchUpWithPeers, isPosition } from '../log/follow-peers.ts'
import { findQueue } from '../log/queue-rows.ts'
import { badQueue, isOpen, type Queue } from '../log/queues.ts'
import { userAt } from '../log/role-changes.ts'
import { chatEvent } from '../types/table.ts'
import { newPollHandle, waitForEvents } from './long-poll.ts'
import { newestPollsOf } from './newest-poll.ts'
import { EventsAnswer, hasBotEvents, withoutTokens } from './poll-result.ts'
import { type Reader, readEvents } from './read-events.ts'

/**
 * Polls that start within one turn of the event loop. After a restart, thousands of clients return at the same time.
 */
const PER_TURN = 20

interface Turns {
  passed: number
  waiting: (() => void)[]
}

const turnsOf = new WeakMap<Chat, Turns>()

/** Lets a few polls through immediately and the others in turn, so that other requests are served in between. */
function waitForTurn(chat: Chat): Promise<void> | undefined {
  const turns = turnsOf.get(chat) ?? { passed: 0, waiting: [] }
  turnsOf.set(chat, turns)
  if (turns.passed < PER_TURN) {
    if (turns.passed++ === 0) setImmediate(() => nextTurn(turns))
    return undefined
  }
  return new Promise((resolve) => turns.waiting.push(resolve))
}

function nextTurn(turns: Turns): void {
  const some = turns.waiting.splice(0, PER_TURN)
  turns.passed = some.length
  if (some.length === 0) return
  for (const resume of some) resume()
  setImmediate(() => nextTurn(turns))
}

interface Heartbeats {
  last: number
  emitting?: Promise<number> | undefined
}

const heartbeats = new WeakMap<Chat, Heartbeats>()

/**
 * Returns the position of a heartbeat after the given one. Heartbeats take ids like all events, so that ids ascend.
 * Readers whose wait has timed out share one, so that two thousand idle readers cost one write.
 */
async function heartbeatAfter(caller: Caller, position: number): Promise<number> {
  const known = heartbeats.get(caller.chat) ?? { last: 0 }
  heartbeats.set(caller.chat, known)
  if (known.last > position) return known.last
  known.emitting ??= writeTransient(caller, async (tx) => emit(tx, { type: 'heartbeat' }, { users: [] }))
    .then((id) => {
      known.last = id
      return id
    })
    .finally(() => {
      known.emitting = undefined
    })
  return known.emitting
}

const heartbeatOf = (id: number): FeedEvent => ({ id, type: 'heartbeat', json: `{"type":"heartbeat","id":${id}}` })

/** One new message is sent to many clients at the same time, and compressing it takes longer than sending it. */
const POLL_COMPRESSED_BYTES = 8192

/**
 * GET /events: returns the events after `last_event_id`, waiting until there are some.
 *
 * @throws BAD_EVENT_QUEUE_ID if the queue has expired or belongs to another user: register again
 * @throws BAD_REQUEST for events that were pruned
 * @example
 * const { events } = await getEvents(caller, { queue_id, last_event_id })
 */
export const getEvents = action(
  {
    name: 'getEvents',
    summary: 'Get events from an event queue',
    params: v.object({
      queue_id: described(text, 'ID of the event queue.'),
      last_event_id: described(v.nullish(integer), 'ID of the last event that the client received, or -1 for none.'),
      dont_block: described(v.nullish(bool, false), 'Respond immediately, even if there are no events.'),
    }),
    result: v.strictObject({ queue_id: v.string(), events: v.array(chatEvent) }),
    accountLimit: 'polls',
    compressFrom: POLL_COMPRESSED_BYTES,
    secret: hasBotEvents,
    errors: ['BAD_EVENT_QUEUE_ID'],
  },
  async (caller, { queue_id, last_event_id, dont_block }) => {
    const admitted = waitForTurn(caller.chat)
    if (admitted) await admitted
    return new EventsAnswer(queue_id, await nextEvents(caller, { queue_id, last_event_id, dont_block }))
  },
)

interface Position {
  queue_id: string
  last_event_id?: number | null | undefined
  dont_block?: boolean
}

/** Returns the events after a position, as `getEvents` does, for a caller whose account was just read. */
export async function nextEvents(
  caller: Caller,
  { queue_id, last_event_id, dont_block = false }: Position,
): Promise<readonly FeedEvent[]> {
  const queue = await findQueue(caller, queue_id)
  // Without waiting, the caller wants what exists now. A waiting caller gets what other processes commit as it arrives.
  if (dont_block) await catchUpWithPeers(caller.chat)
  const cursor = await acknowledge(caller, queue, last_event_id ?? queue.acked)
  const events = await poll(caller, queue, cursor, dont_block)
  return caller.grant ? events.map(withoutTokens) : events
}

/**
 * DELETE /events: deletes an event queue.
 *
 * @throws BAD_EVENT_QUEUE_ID if the queue has expired or belongs to another user
 */
export const deleteQueue = action(
  {
    name: 'deleteQueue',
    summary: 'Delete an event queue',
    params: v.object({ queue_id: described(text, 'ID of the event queue.') }),
    result: empty,
    errors: ['BAD_EVENT_QUEUE_ID'],
  },
  async (caller, { queue_id }) => {
    await findQueue(caller, queue_id)
    await caller.write((tx) => dropQueues(tx, [queue_id]))
    return {}
  },
)

/**
 * Returns the position to continue from. Events up to it are acknowledged. An older one returns the same events again
 * while they are in the log, and -1 is the queue's beginning.
 */
async function acknowledge(caller: Caller, queue: Queue, last: number): Promise<number> {
  const { chat } = caller
  // The database was restored from an older backup without events that this client has seen, so it must register
  // again.
  if (!(await isPosition(chat, last))) throw badQueue(queue.id)
  const cursor = Math.max(last, queue.start)
  if (cursor < (await prunedUpTo.get(caller))) {
    throw badRequest(`An event newer than ${last} has already been pruned!`)
  }
  if (cursor > queue.acked) {
    queue.acked = cursor
    queue.saved = false
  }
  queue.lastUsed = seconds(chat.clock)
  return cursor
}

/**
 * Returns the next events of a queue: immediately if there are some, otherwise as soon as there are, or a heartbeat.
 */
async function poll(caller: Caller, queue: Queue, from: number, dontBlock: boolean): Promise<FeedEvent[]> {
  const { chat, signal } = caller
  const deadline = chat.clock.now() + HEARTBEAT_SECONDS * 1000
  const turn = newPollHandle(caller)
  // The newest poll wins, because the earlier one's client is gone or has lost its connection.
  queue.poll?.end()
  queue.poll = turn
  try {
    const reader: Reader = { cursor: from, user: await userAt(caller, from) }
    for (let heartbeat = 0; ; ) {
      const events = await readEvents(caller, queue, reader)
      // A poll that ends because its key was revoked must see that in the check of the key.
      const { ended } = turn
      await requireKey(caller)
      if (!isOpen(chat, queue)) throw badQueue(queue.id)
      if (ended) return []
      if (events.length > 0 || dontBlock || busOf(chat).closed || signal?.aborted) return events
      // Reads the log once more, because events committed at the same time come before the heartbeat.
      if (heartbeat > 0) return [heartbeatOf(heartbeat)]
      if (chat.clock.now() >= deadline) heartbeat = await heartbeatAfter(caller, from)
      else {
        newestPollsOf(chat).waitsHere(queue)
        await waitForEvents(caller, turn, queue, reader, deadline)
      }
    }
  } finally {
    if (queue.poll === turn) queue.poll = undefined
    queue.lastUsed = seconds(chat.clock)
  }
}
