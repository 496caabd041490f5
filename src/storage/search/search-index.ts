import type { Expression, RawBuilder, SqlBool } from 'kysely'
import type { Db, TxDb } from '../handle.ts'

export interface SearchText {
  message_id: number
  text: string
}

/**
 * The full-text index of messages. It contains pieces of words, so it finds parts of words, and text in languages that
 * don't separate words. It only preselects; `contains` on the text itself decides. The index also stores the text, at
 * 1.1 bytes per character. Topics are searched by name, so that renaming one changes one row.
 */
export interface SearchIndex {
  /** Drops and creates the tables it needs besides `search_text`. */
  create(db: Db): Promise<void>
  /** Makes later changes leave their parts of the index unmerged, and slices merge many at a time. */
  mergeOnlyInSlices(db: Db): Promise<void>
  /** Merges a few parts of the index, in some milliseconds. Returns whether more is left to merge. */
  mergeSlice(db: TxDb): Promise<boolean>
  /** Removes all messages. */
  clear(db: TxDb): Promise<void>
  /** Adds messages with their folded texts. */
  add(db: TxDb, messages: readonly SearchText[]): Promise<void>
  /** Removes a message. Returns whether it was in the index. */
  remove(db: TxDb, message_id: number): Promise<boolean>
  /**
   * Returns a table `(id)` of all messages that may contain all these folded parts; undefined if it can't preselect.
   */
  candidates(parts: readonly string[]): RawBuilder<{ id: number }> | undefined
  /** Returns the folded text of a message; empty if it isn't in the index. */
  textOf(message_id: Expression<number>): RawBuilder<string>
  contains(text: Expression<string>, part: string): RawBuilder<SqlBool>
}
