import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { boundList } from '../statement.ts'
import { rowIds } from './row-ids.ts'
import { sqliteSearch } from './search.ts'
import { tables } from './tables.ts'

export const sqlite: Dialect = {
  kind: 'sqlite',
  // `integer`, not `bigint`, makes a primary key the rowid. Both have 64 bits.
  columnTypes: { id: 'integer', int: 'bigint', text: 'text', bytes: 'blob' },
  id: (column) => column.primaryKey().autoIncrement(),
  // @NOTE the driver refuses more than 32,766 bound values; a JSON array is one.
  idsIn: (ids) => sql<number>`(select value from json_each(${boundList(ids)}))`,
  textsIn: (texts) => sql<string>`(select value from json_each(${boundList(texts)}))`,
  rows: (columns, rows) => {
    const cells = columns.map((name, i) => sql`value ->> ${sql.lit(i)} as ${sql.ref(name)}`)
    return sql`(select ${sql.join(cells)} from json_each(${boundList(rows)}))`
  },
  ...rowIds,
  tables,
  search: sqliteSearch,
}
