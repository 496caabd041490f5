import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

interface Row {
  name: string
  /** JSON */
  columns: string
  key: string
  references: string
}

/** The tables, without that of the search index. */
export const tables: Dialect['tables'] = async (db) => {
  const { rows } = await sql<Row>`
    select t.relname as name,
      (select json_agg(a.attname order by a.attname collate "C")::text from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce((select json_agg(a.attname order by place)::text
        from pg_index i cross join unnest(i.indkey::int[]) with ordinality as k (attnum, place)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
        where i.indrelid = t.oid and i.indisprimary), '[]') as key,
      coalesce((select json_agg(distinct r.relname)::text from pg_constraint c
        join pg_class r on r.oid = c.confrelid where c.conrelid = t.oid and c.contype = 'f'), '[]') as references
    from pg_class t
    where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace and t.relname <> 'message_search'
    order by t.relname`.execute(db)
  return rows.map(({ name, columns, key, references }) => ({
    name,
    columns: JSON.parse(columns),
    key: JSON.parse(key),
    references: JSON.parse(references),
  }))
}
