import type { ColumnDefinitionBuilder, RawBuilder } from 'kysely'
import type { Db, TxDb } from './handle.ts'
import type { SearchIndex } from './search-index.ts'

/** Column types by what they hold. Whole numbers and ids take 64 bits everywhere. */
export interface ColumnTypes {
  readonly id: 'integer' | 'bigint'
  readonly int: 'bigint'
  readonly text: 'text'
  readonly bytes: 'blob' | 'bytea'
}

/**
 * All that differs between databases. SQLite is the one there is; PostgreSQL can be the second. Nothing outside a
 * dialect's folder may hold SQL that only one of them understands.
 */
export interface Dialect {
  readonly kind: 'sqlite' | 'postgres'
  readonly columnTypes: ColumnTypes
  /** Makes a column of type `id` a primary key that only grows and is never used again. */
  id(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** For `where(column, 'in', idsIn(ids))`: one bound value, however many ids. */
  idsIn(ids: readonly number[]): RawBuilder<number>
  /** As idsIn, for text. */
  textsIn(texts: readonly string[]): RawBuilder<string>
  /** Rows of whole numbers as a table, for `selectFrom(rows(['lo', 'hi'], ranges).as('gap'))`: one bound value too. */
  rows<C extends string>(columns: readonly C[], rows: readonly (readonly number[])[]): RawBuilder<Record<C, number>>
  /** The newest id of every table that has numbered a row, by the table's name. */
  newestIds(db: Db): Promise<ReadonlyMap<string, number>>
  /** The next row of the table gets an id higher than this one. */
  numberAbove(db: TxDb, table: string, id: number): Promise<void>
  readonly search: SearchIndex
}
