/** What is to be sent: the parameters of `sendMessage` but those that the outbox adds. */
export interface Outgoing {
  type: 'stream' | 'direct'
  to: number | string | (number | string)[]
  topic?: string
  content: string
}

export interface OutboxEntry {
  readonly local_id: string
  readonly message: Outgoing
  /** Who wrote it: in a browser another account may find it. Unknown where it was written before there was a state. */
  readonly user_id?: number | undefined
  /** Milliseconds since 1970. */
  readonly written_at: number
  /** The queue that it was first sent with: a repetition says the same. */
  readonly queue_id?: string
  readonly status: 'sending' | 'sent' | 'failed'
  /** Of a sent one: the message's id. */
  readonly id?: number
  /** Of a failed one: why, as a sentence. */
  readonly error?: string
}

/** Where entries outlive the program, such as a browser's database. Each entry is one program's at a time. */
export interface OutboxStorage {
  load(): Promise<readonly OutboxEntry[]>
  save(entries: readonly OutboxEntry[]): Promise<void>
  /** Where several programs share it: calls back with what another one left when it ended. */
  onLeft?(take: (entries: readonly OutboxEntry[]) => void): void
}
