import type { OpenOptions } from '../storage/index.ts'
import type { Clock } from './base/clock.ts'
import type { Random } from './base/random.ts'

export interface ChatOptions {
  /** Database file, or ':memory:' (the default). */
  db?: string
  /** Base URL of the server as clients reach it, without a trailing slash. */
  publicUrl?: string
  /** Server setting MAX_EMOJI_FILE_SIZE_MIB (specification, Limits). */
  maxEmojiFileSizeMib?: number
  /** Largest file that users may upload; 25 unless given. */
  maxFileUploadSizeMib?: number
  /**
   * Take the pictures of users who uploaded none from gravatar.com. Off unless asked for: every reader's client then
   * asks there, by a digest of each user's e-mail address. Without it they are drawn from initials.
   */
  gravatar?: boolean
  /**
   * The secret under which API keys are hashed, 32 random bytes, where it is not to lie in a file beside the database.
   * It must be the same at each start.
   */
  secret?: Uint8Array
  clock?: Clock
  random?: Random
  /** Cost of password hashing as a power of two; tests lower it. */
  passwordCost?: number
  /** Receives unexpected failures. */
  log?: (message: string, details?: object) => void
  /** The disk failed; the chat takes no more writes. */
  onBroken?: OpenOptions['onBroken']
  /** Hold every answer and event against its schema, and throw where one differs. For tests: it costs time. */
  checkContract?: boolean
}

/**
 * An open chat. What it is made of (the store, the bus, the secret) is reached by the handles that each floor of core
 * defines with `defineService`, so that none of it is part of the public type.
 */
export interface Chat extends AsyncDisposable {
  readonly clock: Clock
  readonly random: Random
  readonly options: Required<
    Pick<
      ChatOptions,
      | 'publicUrl'
      | 'maxEmojiFileSizeMib'
      | 'maxFileUploadSizeMib'
      | 'gravatar'
      | 'passwordCost'
      | 'log'
      | 'checkContract'
    >
  >
  /** When this process opened the chat, seconds. */
  readonly openedAt: number
  /** Settles the writes under way, answers waiting polls and closes the database. */
  close(): Promise<void>
}
