import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Tables } from '../../../storage/index.ts'
import type { MatchInput } from './match-input.ts'
import type { Operand } from './terms.ts'

export type MessageRow = ExpressionBuilder<Tables, 'message'>

/** Where messages can be found, newest or oldest first, without looking at all the others. */
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
  /** Of what the caller has; not of all that they may read. */
  | { by: 'read' }

/** A term understood: the same question once for the database and once for a message at hand. */
export interface Predicate {
  /** True or false for every row, never null: a negated term must hold where the term does not. */
  sql(row: MessageRow): Expression<SqlBool>
  matches(message: MatchInput): boolean
  /** Together these hold every message that matches. */
  sources?: readonly Source[]
  /** The operand by id, so that it means the same after a change of name. */
  operand?: Operand
  /** Folded parts to highlight. */
  parts?: readonly string[]
}

/**
 * A column in a term's condition. As a plain column it would tempt the database away from the index the messages are
 * read by, towards one that holds many more; and null, where a message has no topic, would not be false.
 */
export const column = (row: MessageRow, name: 'topic_id' | 'conversation_id' | 'sender_id') =>
  row.fn.coalesce(row.ref(`message.${name}`), row.lit(0))

/** A term that asks nothing. */
export const always: Predicate = { sql: (row) => row.lit(true), matches: () => true }
