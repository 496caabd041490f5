import type { ChatEvent } from '../core/event-log/types/table.ts'
import { messageReducers } from './apply-message.ts'
import { organizationReducers } from './apply-organization.ts'
import { streamReducers } from './apply-stream.ts'
import { userReducers } from './apply-user.ts'

/** What register answered, as a client keeps it. */
// biome-ignore lint/suspicious/noExplicitAny: the members are those of the API, each of its own shape.
export type ClientState = Record<string, any>
// biome-ignore lint/suspicious/noExplicitAny: as above, of one event.
export type ClientEvent = ChatEvent & Record<string, any>
export type Reducer = (state: ClientState, event: ClientEvent) => void

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
export function applyEvent(state: ClientState, event: ChatEvent): void {
  const reducer = reducers[event.type]
  if (!reducer) throw new Error(`no reducer for events of type ${event.type}`)
  reducer(state, event)
}
