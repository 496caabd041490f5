import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Tables } from '../../../storage/index.ts'
import type { MatchInput } from './match-input.ts'
import type { Operand } from './terms.ts'

export type MessageRow = ExpressionBuilder<Tables, 'message'>

/** A source of messages, newest or oldest first, that an index serves without scanning all the others. */
export type Source =
  | { by: 'id'; ids: readonly number[] }
  | { by: 'topic_id'; topics: readonly { id: number; stream_id: number }[] }
  | { by: 'conversation_id'; values: readonly number[]; direct?: boolean }
  | { by: 'sender_id'; values: readonly number[] }
  | { by: 'flags'; bits: number }
  | { by: 'mark'; mark: 'has_image' | 'has_attachment' | 'stream_wildcard' }
  | { by: 'text'; parts: readonly string[] }
  | { by: 'reactions' }
  | { by: 'unread' }
  /** Of the messages that the caller has, not all that they may read. */
  | { by: 'read' }

/** A compiled term: the same predicate once for the database and once for a message in memory. */
export interface Predicate {
  /** True or false for every row, never null: a negated term must hold where the term does not. */
  sql(row: MessageRow): Expression<SqlBool>
  matches(message: MatchInput): boolean
  /** Together these sources contain every message that matches. */
  sources?: readonly Source[]
  /** Whether it depends on nothing but the operand and the message: neither names nor the caller's state. */
  lasting?: boolean
  /** The operand as an id, so that a change of name does not affect it. */
  operand?: Operand
  /** Folded words to highlight. */
  parts?: readonly string[]
}

/**
 * A column in a term's condition. For a plain column, the query planner might use its index instead of the one that
 * messages are scanned by, and read many more rows. A null, for a message without a topic, would also not be false.
 */
export const column = (row: MessageRow, name: 'topic_id' | 'conversation_id' | 'sender_id') =>
  row.fn.coalesce(row.ref(`message.${name}`), row.lit(0))

/** A term that always holds. */
export const always: Predicate = { sql: (row) => row.lit(true), matches: () => true }
