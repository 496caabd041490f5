import type { ChatError } from '../../core/kernel/errors.ts'

/** The connection of a live state to the server. */
export type Connection =
  /** Registering for the first time. */
  | { status: 'connecting' }
  | { status: 'online' }
  /** The server can't be reached. `retryAt` is the time of the next try, in milliseconds since 1970. */
  | { status: 'offline'; retryAt: number }
  /** Stopped, or rejected for good (`error`): signed out or deactivated. */
  | { status: 'ended'; error?: ChatError }
