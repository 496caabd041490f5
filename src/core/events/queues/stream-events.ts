import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { type EventFeed, eventFeed, type FeedEvent } from '../../kernel/answers.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Caller, currentUser } from '../../kernel/context.ts'
import { checkContract } from '../../kernel/contract.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, integer, text } from '../../kernel/fields.ts'
import { busOf } from '../log/bus.ts'
import { chatEvent } from '../types/table.ts'
import { getEvents, nextEvents } from './poll.ts'
import { register } from './register.ts'

/** What an EventSource sends when it reconnects: the queue and its last event. */
const POSITION = /^([A-Za-z0-9]{1,64}):(-?\d{1,15})$/

interface Position {
  queue_id: string
  last_event_id: number
}

/**
 * GET /events/stream: sends a queue's events as server-sent events. It reads `queue_id` and `last_event_id` like GET
 * /events, or creates a queue from the parameters of POST /register. `Last-Event-ID` continues after an interruption.
 *
 * @throws BAD_EVENT_QUEUE_ID if the queue has expired or belongs to another user: register again
 * @throws BAD_NARROW for a term with an unknown operator or an invalid operand
 * @throws BAD_REQUEST for a Last-Event-ID from another server
 */
export const streamEvents = action(
  {
    name: 'streamEvents',
    summary: 'Stream events from an event queue',
    params: v.object({
      ...register.params.entries,
      queue_id: described(v.optional(text), 'Event queue to stream. By default, the other parameters create one.'),
      last_event_id: described(v.nullish(integer), 'ID of the last event that the client received.'),
      resume_from: described(v.optional(text), 'The `id` of the last event received from an interrupted stream.'),
    }),
    result: eventFeed,
    headers: { resume_from: 'last-event-id' },
    answers: 'events',
    errors: ['BAD_EVENT_QUEUE_ID', 'BAD_NARROW'],
  },
  async (caller, { queue_id, last_event_id, resume_from, ...options }): Promise<EventFeed> => {
    const known =
      resume_from !== undefined
        ? positionOf(resume_from)
        : queue_id !== undefined && { queue_id, last_event_id: last_event_id ?? -1 }
    // Reports problems with the queue now, while the response can still have an error status.
    if (known) await getEvents(caller, { ...known, dont_block: true })
    return feedFrom(caller, known || (await newQueue(caller, options)))
  },
)

function positionOf(resume_from: string): Position {
  const [, queue_id, id] = POSITION.exec(resume_from) ?? []
  if (!queue_id) throw badRequest('Invalid Last-Event-ID')
  return { queue_id, last_event_id: Number(id) }
}

async function newQueue(caller: Caller, options: object): Promise<Position> {
  // Only the events are needed here. The state comes from POST /register.
  const { queue_id, last_event_id } = await register(caller, { ...options, fetch_event_types: [] })
  return { queue_id, last_event_id }
}

function feedFrom(caller: Caller, { queue_id, last_event_id }: Position): EventFeed {
  let position = last_event_id
  let ended = false
  return {
    queue_id,
    get position() {
      return position
    },
    async next() {
      if (ended) return undefined
      const user = await currentUser(caller, caller.user.id)
      const current = user === caller.user ? caller : { ...caller, user }
      const events = await nextEvents(current, { queue_id, last_event_id: position })
      if (caller.chat.options.checkContract) checkEvents(caller.chat, events)
      position = events.at(-1)?.id ?? position
      // The last batch of a closing server is delivered like any other. A response without events means that another
      // poll took over the queue.
      ended = events.length === 0 || caller.signal?.aborted === true || busOf(caller.chat).closed
      return events
    },
  }
}

/** A stream has no result of an action, which would be checked. */
function checkEvents(chat: Chat, events: readonly FeedEvent[]): void {
  for (const { json } of events) checkContract(chat, 'an event of a stream', chatEvent, JSON.parse(json))
}
