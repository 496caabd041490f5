import { administersStream, type ChatEvent, type Message } from '../../../src/client/index.ts'
import { perSession, type Session } from '../state/session.ts'
import { knownPins, type Pin } from './pins.ts'

/** Channels whose pins are kept, so that a new registration loads few lists again. */
const MOST_CHANNELS = 10

/** The number of the last request for a channel's pinned messages. An answer to an earlier request is out of date. */
const requestsOf = perSession((session) => {
  const requests = new Map<number, number>()
  session.live.onChange((change) => {
    const known = knownPins(session)
    // What happened in between is unknown.
    if (change.type === 'registered') for (const stream_id of known.peek().keys()) void loadPins(session, stream_id)
    if (change.type !== 'event') return
    for (const stream_id of changedBy(known.peek(), change.event))
      if (requests.has(stream_id)) void loadPins(session, stream_id)
  })
  return requests
})

/** Loads the pinned messages of a channel. Later changes are loaded as well. */
export async function loadPins(session: Session, stream_id: number): Promise<void> {
  const requests = requestsOf(session)
  const turn = (requests.get(stream_id) ?? 0) + 1
  requests.set(stream_id, turn)
  const known = knownPins(session)
  try {
    const { pinned_messages } = await session.client.listPinnedMessages({ stream_id })
    if (requests.get(stream_id) !== turn) return
    const others = [...known.peek()].filter(([id]) => id !== stream_id)
    known.value = new Map([...others, [stream_id, pinned_messages] as const].slice(-MOST_CHANNELS))
  } catch {
    // The reader lost the channel, or the connection: then the next registration loads them.
  }
}

/** The channels whose pins an event changes. */
function changedBy(known: ReadonlyMap<number, readonly Pin[]>, event: ChatEvent): number[] {
  if (event.type === 'pinned_messages') return [event.stream_id]
  if (event.type !== 'update_message' && event.type !== 'delete_message') return []
  const ids = new Set(event.message_ids)
  const isConcerned = (pins: readonly Pin[]) => pins.some(({ message_id }) => ids.has(message_id))
  const from = [...known].filter(([, pins]) => isConcerned(pins)).map(([stream_id]) => stream_id)
  if (event.type === 'delete_message') return from
  const { subject, new_stream_id } = event
  if (new_stream_id !== undefined) return [...from, new_stream_id]
  return subject === undefined ? [] : from
}

/** The pinned messages of a topic, or of all topics. */
export const pinsIn = (pins: readonly Pin[], topic: string | undefined): readonly Pin[] =>
  topic === undefined ? pins : pins.filter((pin) => pin.topic.toLowerCase() === topic.toLowerCase())

/** Whether the reader may pin a message and unpin it. */
export function mayPin({ state }: Session, message: Message): message is Message & { type: 'stream' } {
  if (message.type !== 'stream') return false
  const all = [...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed]
  const stream = all.find(({ stream_id }) => stream_id === message.stream_id)
  if (!stream || stream.is_archived) return false
  return state.is_admin || state.is_moderator || administersStream(state, stream)
}
