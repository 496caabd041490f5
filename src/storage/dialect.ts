import type { ColumnDefinitionBuilder, RawBuilder } from 'kysely'
import type { SearchIndex } from './search-index.ts'

/** All that differs between databases. PostgreSQL will be the second; nothing else may hold dialect SQL. */
export interface Dialect {
  readonly kind: 'sqlite'
  /** A primary key that only grows and is never used again. */
  id(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** For `where(column, 'in', idsIn(ids))`: one bound value, however many ids. */
  idsIn(ids: readonly number[]): RawBuilder<number>
  /** As idsIn, for text. */
  textsIn(texts: readonly string[]): RawBuilder<string>
  /** Rows of whole numbers as a table, for `selectFrom(rows(['lo', 'hi'], ranges).as('gap'))`: one bound value too. */
  rows<C extends string>(columns: readonly C[], rows: readonly (readonly number[])[]): RawBuilder<Record<C, number>>
  readonly search: SearchIndex
}
