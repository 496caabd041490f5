import { seconds } from '../../kernel/base/clock.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Caller } from '../../kernel/context.ts'
import { checkContract } from '../../kernel/contract.ts'
import { busOf } from '../log/bus.ts'
import { badQueue, isOpen, type Queue, type QueueOptions, queuesInUse } from '../log/queues.ts'
import { type ChatEvent, type EventType, eventTypes } from '../types/table.ts'
import { newPollHandle, waitForEvents } from './long-poll.ts'
import { type Reader, readEvents } from './read-events.ts'

export interface SubscribeOptions<T extends EventType = EventType> extends Partial<Omit<QueueOptions, 'event_types'>> {
  /** Types of events to receive; all by default. */
  types?: readonly T[]
  /** Ends the loop. */
  signal?: AbortSignal
}

/** A reader in this process supports all of today's forms. */
const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  include_deactivated_groups: true,
  empty_topic_name: true,
  user_list_incomplete: true,
}

/**
 * Yields events from this moment on that the user may see, from the same log and by the same rules as HTTP clients. It
 * ends when `signal` aborts, when the chat closes, and with BAD_EVENT_QUEUE_ID when the user is deactivated.
 *
 * @throws ChatError BAD_EVENT_QUEUE_ID
 * @example
 * for await (const event of subscribeToEvents(ann, { types: ['message'] })) console.log(event.message.content)
 */
export function subscribeToEvents<T extends EventType = EventType>(
  caller: Caller,
  options: SubscribeOptions<T> = {},
): AsyncIterable<ChatEvent<T>> {
  const { types, signal, ...requested } = options
  const start = busOf(caller.chat).head()
  return {
    [Symbol.asyncIterator]: () =>
      events<T>(onSignal(caller, signal), start, signal, {
        narrow: [],
        all_public_streams: false,
        apply_markdown: true,
        client_gravatar: false,
        slim_presence: true,
        include_subscribers: true,
        capabilities,
        ...requested,
        event_types: types ?? null,
      }),
  }
}

const onSignal = (caller: Caller, signal: AbortSignal | undefined): Caller => ({ ...caller, signal })

async function* events<T extends EventType>(
  caller: Caller,
  start: number,
  signal: AbortSignal | undefined,
  options: QueueOptions,
): AsyncGenerator<ChatEvent<T>> {
  const { chat, user } = caller
  const reader: Reader = { cursor: start, user }
  const turn = newPollHandle(caller)
  // It counts as a queue, so the log is kept for it and a deactivation ends it, but it has no row.
  const queue: Queue = {
    id: `in-process-${randomText(chat.random, 24)}`,
    user_id: user.id,
    key_id: caller.key_id ?? null,
    options,
    start,
    lifespan: Number.POSITIVE_INFINITY,
    acked: start,
    lastUsed: seconds(chat.clock),
    saved: true,
    poll: turn,
  }
  queuesInUse(chat).set(queue.id, queue)
  try {
    while (!busOf(chat).closed && !signal?.aborted) {
      const found = await readEvents(caller, queue, reader)
      if (!isOpen(chat, queue)) throw badQueue(queue.id)
      for (const { json } of found) {
        const event: ChatEvent<T> = JSON.parse(json)
        checkContract(chat, `an event of type ${event.type}`, eventTypes[event.type].read, event)
        yield event
        if (signal?.aborted) return
      }
      queue.acked = reader.cursor
      await waitForEvents(caller, turn, queue, reader, Number.POSITIVE_INFINITY)
    }
  } finally {
    queuesInUse(chat).delete(queue.id)
  }
}
