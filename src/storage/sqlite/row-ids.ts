import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** SQLite's own table of the newest id of each table whose ids are never reused. */
export const rowIds: Pick<Dialect, 'newestIds' | 'numberAbove'> = {
  async newestIds(db) {
    const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(db)
    return new Map(rows.map(({ name, seq }) => [name, seq]))
  },
  async numberAbove(db, table, id) {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(db)
  },
}
