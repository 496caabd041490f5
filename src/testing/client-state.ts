import type { ReaderEvent } from '../core/event-queues/poll-result.ts'

/** What register answered, as a client keeps it. */
// biome-ignore lint/suspicious/noExplicitAny: the members are those of the API, each of its own shape.
export type ClientState = Record<string, any>
// biome-ignore lint/suspicious/noExplicitAny: as above, of one event.
export type ClientEvent = ReaderEvent & Record<string, any>
export type Reducer = (state: ClientState, event: ClientEvent) => void
