import type { RawBuilder } from 'kysely'
import type { Db, TxDb } from './handle.ts'
import type { SearchIndex } from './search/search-index.ts'
import type { ColumnDialect } from './tables/table-list.ts'

/**
 * Everything that differs between SQLite and PostgreSQL. SQL that only one of them understands must be in its
 * dialect's folder.
 */
export interface Dialect extends ColumnDialect {
  readonly kind: 'sqlite' | 'postgres'
  /** For `where(column, 'in', idsIn(ids))`: one bound value, however many ids. */
  idsIn(ids: readonly number[]): RawBuilder<number>
  /** Like idsIn, for text. */
  textsIn(texts: readonly string[]): RawBuilder<string>
  /** Rows of integers as a table, for `selectFrom(rows(['lo', 'hi'], ranges).as('gap'))`: one bound value too. */
  rows<C extends string>(columns: readonly C[], rows: readonly (readonly number[])[]): RawBuilder<Record<C, number>>
  /** Returns the newest id of every table with numbered rows, by table name. */
  newestIds(db: Db): Promise<ReadonlyMap<string, number>>
  /** Makes the next row of the table get a higher id than this one. */
  numberAbove(db: TxDb, table: string, id: number): Promise<void>
  /** Returns our tables, without the ones of the search index. */
  tables(db: Db): Promise<readonly TableFacts[]>
  readonly search: SearchIndex
}

export interface TableFacts {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns of the primary key; none for a table with at most one row. */
  readonly key: readonly string[]
  /** The tables that its rows refer to. */
  readonly references: readonly string[]
}
