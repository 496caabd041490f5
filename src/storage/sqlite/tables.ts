import { sql } from 'kysely'
import type { Dialect, TableFacts } from '../dialect.ts'

/** The tables, without those of SQLite itself and of the full-text index. */
export const tables: Dialect['tables'] = async (db) => {
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
