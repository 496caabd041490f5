import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** The sequences of numbered tables, one of each. */
export const sequences: Pick<Dialect, 'newestIds' | 'numberAbove'> = {
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
