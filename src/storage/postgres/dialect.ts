import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { boundList } from '../statement.ts'
import { postgresSearch } from './search.ts'
import { sequences } from './sequences.ts'
import { tables } from './tables.ts'

export const postgres: Dialect = {
  kind: 'postgres',
  // By code points, as JavaScript and SQLite compare, whatever the language of the database.
  columnTypes: { id: 'bigint', int: 'bigint', text: 'text collate "C"', bytes: 'bytea' },
  id: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  idsIn: (ids) =>
    sql<number>`(select value::bigint from json_array_elements_text(${boundList(ids)}::json) as list (value))`,
  textsIn: (texts) =>
    sql<string>`(select value collate "C" from json_array_elements_text(${boundList(texts)}::json) as list (value))`,
  rows: (columns, rows) => {
    const cells = columns.map((name, i) => sql`(value ->> ${sql.lit(i)})::bigint as ${sql.ref(name)}`)
    return sql`(select ${sql.join(cells)} from json_array_elements(${boundList(rows)}::json) as list (value))`
  },
  ...sequences,
  tables,
  search: postgresSearch,
}
