import type { ChatEvent, EventType } from '../../core/events/types/table.ts'
import { messageReducers } from './apply-message.ts'
import { organizationReducers } from './apply-organization.ts'
import { streamReducers } from './apply-stream.ts'
import { userReducers } from './apply-user.ts'
import type { ClientState, Reducers } from './client-state.ts'

/** A type that changes nothing is here too, so that none is forgotten. */
export const reducers: Reducers = {
  ...messageReducers,
  ...streamReducers,
  ...userReducers,
  ...organizationReducers,
  // The list of files is asked for apart from the state.
  attachment() {},
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
