import type { RegisterState } from '../../core/events/queues/initial-state.ts'
import type { ChatEvent, EventType } from '../../core/events/types/table.ts'

/** What register answered a client that asked for all of it, as the client keeps it. */
export interface ClientState extends Required<RegisterState> {
  queue_id: string
  last_event_id: number
  /** Whether it asked for the lists of subscribers. */
  with_subscribers: boolean
  /** Whether it has somebody for every user, also for those of whom it may know nothing. */
  with_all_users: boolean
  /** Whether it has archived streams, too. */
  with_archived: boolean
  deleted_messages: number[]
}

/** Whether a state is that of somebody without an account, who has no event queue. */
export const isSpectator = ({ queue_id }: { queue_id: string | null }): boolean => queue_id === null

/** What each type of event changes in a client. */
export type Reducers = { readonly [T in EventType]: (state: ClientState, event: ChatEvent<T>) => void }
