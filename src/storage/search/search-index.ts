import type { Expression, RawBuilder, SqlBool } from 'kysely'
import type { Db, TxDb } from '../handle.ts'

/**
 * The full-text index of messages. It contains pieces of words, not words, so it finds parts of words, and text
 * in languages that do not separate words. It only preselects; `contains` on the text itself decides. The index
 * also stores the text: 1.1 bytes for each of its characters. Topics are searched by their names, so that
 * renaming one remains the change of one row.
 */
export interface SearchIndex {
  /** Creates the tables it needs besides `search_text`, empty; those that were there before are dropped. */
  create(db: Db): Promise<void>
  /** Removes all messages. */
  clear(db: TxDb): Promise<void>
  /** Adds a message with its folded text. */
  add(db: TxDb, message_id: number, text: string): Promise<void>
  /** Removes a message; returns whether it was in the index. */
  remove(db: TxDb, message_id: number): Promise<boolean>
  /** A table `(id)` of all messages that may contain all these folded parts; undefined where it cannot preselect. */
  candidates(parts: readonly string[]): RawBuilder<{ id: number }> | undefined
  /** The folded text of a message; empty where it is not in the index. */
  textOf(message_id: Expression<number>): RawBuilder<string>
  contains(text: Expression<string>, part: string): RawBuilder<SqlBool>
}
