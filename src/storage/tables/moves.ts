import type { Generated } from 'kysely'

/** A move of messages that takes several writes. Its row is deleted in the last one. */
export interface UnfinishedMoveTable {
  id: Generated<number>
  /** Who moves the messages. */
  user_id: number
  /** When the newest of its writes was, in seconds. */
  touched_at: number
  /** What is left to do, as JSON. */
  rest: string
}
