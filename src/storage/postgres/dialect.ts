import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { boundList } from '../statement.ts'
import { postgresSearch } from './search.ts'

/** The sequences of numbered tables. Each table has one. */
const sequences: Pick<Dialect, 'newestIds' | 'numberAbove'> = {
  async newestIds(db) {
    const { rows } = await sql<{ name: string; newest: number | null }>`
      select seq.relname, owner.relname as name, pg_sequence_last_value(seq.oid) as newest
      from pg_class seq
      join pg_depend on pg_depend.objid = seq.oid and pg_depend.deptype in ('a', 'i')
      join pg_class owner on owner.oid = pg_depend.refobjid
      where seq.relkind = 'S' and owner.relnamespace = current_schema()::regnamespace`.execute(db)
    return new Map(rows.flatMap(({ name, newest }) => (newest === null ? [] : [[name, newest] as const])))
  },
  async numberAbove(db, table, id) {
    await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), ${sql.lit(id)})`.execute(db)
  },
}

interface Row {
  name: string
  /** JSON */
  columns: string
  key: string
  references: string
}

/** Lists the tables, without the search index's. */
const tables: Dialect['tables'] = async (db) => {
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

export const postgres: Dialect = {
  kind: 'postgres',
  // Compares by code points, like JavaScript and SQLite, whatever the language of the database.
  columnTypes: { id: 'bigint', int: 'bigint', small: 'integer', text: 'text collate "C"', bytes: 'bytea' },
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
