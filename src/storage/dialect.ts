import type { ColumnDefinitionBuilder, RawBuilder } from 'kysely'

/** All that differs between databases. PostgreSQL will be the second; nothing else may hold dialect SQL. */
export interface Dialect {
  readonly kind: 'sqlite'
  /** A primary key that only grows and is never used again. */
  id(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** For `where(column, 'in', idsIn(ids))`: one bound value, however many ids. */
  idsIn(ids: readonly number[]): RawBuilder<number>
  /** As idsIn, for text. */
  textsIn(texts: readonly string[]): RawBuilder<string>
}
