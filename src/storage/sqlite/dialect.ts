import { sql } from 'kysely'
import type { Dialect, TableFacts } from '../dialect.ts'
import { boundList } from '../statement.ts'
import { sqliteSearch } from './search.ts'

/** Reads SQLite's own table of the newest ids. */
const rowIds: Pick<Dialect, 'newestIds' | 'numberAbove'> = {
  async newestIds(db) {
    const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(db)
    return new Map(rows.map(({ name, seq }) => [name, seq]))
  },
  async numberAbove(db, table, id) {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(db)
  },
}

/** Lists the tables, without SQLite's own and the full-text index's. */
const tables: Dialect['tables'] = async (db) => {
  const names = await sql<{ name: string }>`
    select name from sqlite_master
    where type = 'table' and name not like 'sqlite_%' and name not like 'message_search%' order by name`.execute(db)
  const facts: TableFacts[] = []
  for (const { name } of names.rows) {
    const columns = await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${name})`.execute(db)
    const references = await sql<{ to_table: string }>`
      select distinct "table" as to_table from pragma_foreign_key_list(${name})`.execute(db)
    const key = columns.rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    facts.push({
      name,
      columns: columns.rows.map((column) => column.name).sort(),
      key: key.map((column) => column.name),
      references: references.rows.map((row) => row.to_table),
    })
  }
  return facts
}

export const sqlite: Dialect = {
  kind: 'sqlite',
  // `integer`, not `bigint`, makes a primary key the rowid. Both have 64 bits.
  columnTypes: { id: 'integer', int: 'bigint', small: 'integer', text: 'text', bytes: 'blob' },
  id: (column) => column.primaryKey().autoIncrement(),
  // @NOTE the driver rejects more than 32,766 bound values; a JSON array counts as one
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
