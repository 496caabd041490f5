import type { ChatEvent } from '../../core/events/types/table.ts'
import type { MessageView } from '../../core/shapes/message.ts'
import { applyToMessages } from './apply-event.ts'
import type { Feed } from './feed.ts'
import { type Known, place } from './known.ts'

/** A request for messages, and the events during it. */
export interface Request {
  readonly during: readonly ChatEvent[]
  /** Whether everything was forgotten since. The events before that are missing. */
  isOutdated(): boolean
  end(): void
}

/** The requests of a store. A response may be older or newer than the events that come before it. */
export function requestsOf() {
  const underWay = new Set<ChatEvent[]>()
  /** How often everything was forgotten. */
  let registrations = 0
  return {
    begin(): Request {
      const during: ChatEvent[] = []
      const began = registrations
      underWay.add(during)
      return { during, isOutdated: () => began !== registrations, end: () => underWay.delete(during) }
    },
    note(event: ChatEvent): void {
      for (const during of underWay) during.push(event)
    },
    forget(): void {
      registrations += 1
      for (const during of underWay) during.length = 0
    },
  }
}

/** Adds fetched messages, then applies the events that happened during the request. */
export function take(
  known: Known,
  fetched: readonly MessageView[],
  during: readonly ChatEvent[],
  into?: () => Feed,
): void {
  const { messages, live, announce } = known
  for (const message of fetched) messages.set(message.id, message)
  const joined = into ? [into()] : []
  const touched = during.flatMap((event) => applyToMessages(messages, event, live.state!))
  const gone = during.flatMap((event) => (event.type === 'delete_message' ? (event.message_ids ?? []) : []))
  for (const id of gone) messages.delete(id)
  const ids = [...fetched.map(({ id }) => id), ...touched, ...gone]
  announce(ids, [...joined, ...place(known, into ? [...touched, ...gone] : ids)])
}
