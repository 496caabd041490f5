import { sql } from 'kysely'
import type { Store } from '../../src/storage/index.ts'

interface Line {
  line: string
}

/** Every object of a database's schema, a line each, as the database itself writes them down. */
export async function schemaLines(store: Store): Promise<string[]> {
  const query = store.dialect.kind === 'postgres' ? onServer : inFile
  return (await query.execute(store.db)).rows.map(({ line }) => line)
}

const inFile = sql<Line>`
  select json_array(type, name, tbl_name, sql) as line from sqlite_schema order by type, name`

const onServer = sql<Line>`
  select line from (
    select concat_ws(' ', 'column', c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
      (select 'collate ' || collname from pg_collation where oid = a.attcollation),
      case when a.attnotnull then 'not null' end, 'default ' || pg_get_expr(d.adbin, d.adrelid), a.attidentity) as line
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attnum > 0
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'
    union all
    select concat_ws(' ', 'index', indexdef) from pg_indexes where schemaname = current_schema()
    union all
    select concat_ws(' ', 'other', relkind, relname) from pg_class
    where relnamespace = current_schema()::regnamespace and relkind not in ('r', 'i')
  ) as lines order by line collate "C"`
