/** Throwaway chats for tests: a world of people in memory, a server on any free port, a clock moved by hand. */
export { type ManualClock, manualClock } from '../core/clock.ts'
export { type Answer, type Api, apiOf } from './api.ts'
export { type LogEntry, type TestServer, testServer } from './server.ts'
export { type Person, type PersonSeed, type StreamSeed, type World, type WorldSeed, world } from './world.ts'
