import type { ReaderEvent } from '../core/event-queues/poll-result.ts'
import { messageReducers } from './apply-message.ts'
import { organizationReducers } from './apply-organization.ts'
import { streamReducers } from './apply-stream.ts'
import { userReducers } from './apply-user.ts'
import type { ClientState, Reducer } from './client-state.ts'

/** What each type of event changes in a client. A type that changes nothing is here too, so that none is forgotten. */
export const reducers: Readonly<Record<string, Reducer>> = {
  ...messageReducers,
  ...streamReducers,
  ...userReducers,
  ...organizationReducers,
  heartbeat() {},
}

/**
 * The state after an event, as a client would have it: changes `state`. With it a test shows that events say all that
 * happened. Throws for a type of event that is not known.
 */
export function applyEvent(state: ClientState, event: ReaderEvent): void {
  const reducer = reducers[event.type]
  if (!reducer) throw new Error(`no reducer for events of type ${event.type}`)
  reducer(state, event)
}
