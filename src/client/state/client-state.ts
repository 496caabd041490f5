import type { RegisterState } from '../../core/events/queues/initial-state.ts'
import type { ChatEvent, EventType } from '../../core/events/types/table.ts'

/** The response of a register that asked for everything. */
export interface ClientState extends Required<RegisterState> {
  queue_id: string
  last_event_id: number
  /** Whether the client asked for the lists of subscribers. */
  with_subscribers: boolean
  /** Whether the client has an entry for every user, including placeholders for invisible users. */
  with_all_users: boolean
  /** Whether the client has archived streams. */
  deleted_messages: number[]
}

/** Returns whether a state belongs to a visitor without an account, who has no event queue. */
export const isSpectator = ({ queue_id }: { queue_id: string | null }): boolean => queue_id === null

/** What each type of event changes in a client's state. */
export type Reducers = { readonly [T in EventType]: (state: ClientState, event: ChatEvent<T>) => void }
