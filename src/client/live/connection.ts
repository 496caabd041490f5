import type { ChatError } from '../../core/kernel/errors.ts'

/** How the live state stands to the server. */
export type Connection =
  /** Registering for the first time, or trying to. */
  | { status: 'connecting' }
  | { status: 'online' }
  /** The server cannot be reached; `retryAt` is when it is tried next, in milliseconds since 1970. */
  | { status: 'offline'; retryAt: number }
  /** Stopped, or refused for good (`error`): signed out, deactivated. */
  | { status: 'ended'; error?: ChatError }
