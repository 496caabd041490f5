import type { ChatEvent, EventType } from '../core/event-log/types/table.ts'
import type { RegisterState } from '../core/event-queues/initial-state.ts'
import { messageReducers } from './apply-message.ts'
import { organizationReducers } from './apply-organization.ts'
import { streamReducers } from './apply-stream.ts'
import { userReducers } from './apply-user.ts'

/** What register answered a client that asked for all of it, as the client keeps it. */
export interface ClientState extends Required<RegisterState> {
  queue_id: string
  last_event_id: number
  /** Whether it asked for the lists of subscribers. */
  with_subscribers: boolean
  deleted_messages: number[]
}

/** What each type of event changes in a client. */
export type Reducers = { readonly [T in EventType]: (state: ClientState, event: ChatEvent<T>) => void }

/** A type that changes nothing is here too, so that none is forgotten. */
export const reducers: Reducers = {
  ...messageReducers,
  ...streamReducers,
  ...userReducers,
  ...organizationReducers,
  heartbeat() {},
}

/**
 * The state after an event, as a client would have it: changes `state`. With it a test shows that events say all that
 * happened.
 */
export function applyEvent<T extends EventType>(state: ClientState, event: ChatEvent<T>): void {
  // The reducer is the event's own: the compiler cannot see that the two go together.
  const reduce = reducers[event.type] as Reducers[T]
  reduce(state, event)
}
