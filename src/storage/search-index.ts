import type { Expression, RawBuilder, SqlBool } from 'kysely'
import type { Db, TxDb } from './handle.ts'

/**
 * The full-text index of messages. It holds pieces of words, not words, so it finds parts of words, and text of
 * languages that put no spaces between them. It narrows down; `contains` on the text itself decides. The index keeps
 * the text it was given: 1.1 bytes for each of its characters. Topics are searched by their names, so that renaming one
 * stays the change of one row.
 */
export interface SearchIndex {
  /** Makes what it needs beside the table `search_text`, empty, in place of what there was. */
  create(db: Db): Promise<void>
  /** Takes all messages out. */
  clear(db: TxDb): Promise<void>
  /** Adds a message under its folded text. */
  add(db: TxDb, message_id: number, text: string): Promise<void>
  /** Takes a message out; answers whether it was in. */
  remove(db: TxDb, message_id: number): Promise<boolean>
  /** A table `(id)` of all messages that may contain all these folded parts; undefined where it cannot narrow down. */
  candidates(parts: readonly string[]): RawBuilder<{ id: number }> | undefined
  /** The folded text of a message; empty where it is not in the index. */
  textOf(message_id: Expression<number>): RawBuilder<string>
  contains(text: Expression<string>, part: string): RawBuilder<SqlBool>
}
