/** Temporary chats for tests: a world of users in memory, a server on any free port, a clock advanced by hand. */

export { applyEvent } from '../client/state/apply-event.ts'
export type { ClientState } from '../client/state/client-state.ts'
export type { LoggedEvent } from '../core/events/types/table.ts'
export { type ManualClock, manualClock } from '../core/kernel/base/clock.ts'
export { type Answer, type Api, apiOf, type Call } from './api.ts'
export { assertSameState } from './compare-state.ts'
export type { Person } from './person.ts'
export type { RecordedRequest } from './recorded-request.ts'
export type { CastName, GroupSeed, MessageSeed, PersonSeed, StreamSeed, WorldSeed } from './seed.ts'
export {
  type EmptyServer,
  type EmptyServerOptions,
  emptyServer,
  type LogEntry,
  type TestServer,
  type TestServerOptions,
  testServer,
} from './server.ts'
export type { Fault, Traffic } from './traffic.ts'
export { type Follower, follow, ofType, verifyEvents } from './verify-events.ts'
export { type World, type WorldBase, type WorldSnapshot, world } from './world.ts'
