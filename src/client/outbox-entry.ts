import type { ErrorCode } from '../core/kernel/errors.ts'

/** The parameters of `sendMessage` that callers of the outbox give. */
export interface Outgoing {
  type: 'stream' | 'direct'
  to: number | string | (number | string)[]
  topic?: string
  content: string
}

export interface OutboxEntry {
  readonly local_id: string
  readonly message: Outgoing
  /**
   * The sender, since another account may use the same browser. Missing if the message was written before there was a
   * state.
   */
  readonly user_id?: number | undefined
  /** Milliseconds since 1970. */
  readonly written_at: number
  /** The queue of the first attempt, which repetitions keep. */
  readonly queue_id?: string
  readonly status: 'sending' | 'sent' | 'failed'
  /** The id of the message, once sent. */
  readonly id?: number
  /** Set if the server has it, and a moderator must approve it first. */
  readonly held_id?: number
  /** Why sending failed, as a sentence. */
  readonly error?: string
  /** The code of that error, or `UNCONFIRMED` for a message that may have been sent more than a day ago. */
  readonly code?: ErrorCode | 'UNCONFIRMED'
  /** What the error says besides, such as when its author may send again. */
  readonly error_data?: Readonly<Record<string, unknown>>
}

/** Storage that outlives the program, such as a browser's database. Each entry belongs to one program at a time. */
export interface OutboxStorage {
  load(): Promise<readonly OutboxEntry[]>
  save(entries: readonly OutboxEntry[]): Promise<void>
  /** For storage that several programs share: calls back with entries that an ended program left. */
  onLeft?(take: (entries: readonly OutboxEntry[]) => void): void
}
