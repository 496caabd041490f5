import type { ReadonlyDeep } from '../../shapes/values.ts'
import type { ChatEvent, EventType, LoggedEvent } from '../types/table.ts'

/** One version of an event, for the clients that understand it. */
export interface EventVariant {
  type: EventType
  /** Readers with the same variant share the same text. */
  variant: string
  /** How many ids before the event's own. If a reader gets one event as several, each has its own id. */
  idOffset: number
  make(): object
}

/** An event for readers, without the parts that differ for each: the id, and an edited message's flags. */
type Body<T extends EventType> = WithoutOwn<ReadonlyDeep<ChatEvent<T>>, T>
type WithoutOwn<E, T> = E extends unknown ? Omit<E, 'id' | (T extends 'update_message' ? 'flags' : never)> : never

/** Creates a version of an event. TypeScript checks it against the table of types. */
export const eventVariant = <T extends EventType>(
  type: T,
  variant: string,
  make: () => Body<T>,
  idOffset = 0,
): EventVariant => ({ type, variant, idOffset, make })

/** The event as it was logged. */
export const asLogged = (event: LoggedEvent): EventVariant[] => [
  { type: event.type, variant: '', idOffset: 0, make: () => event },
]
