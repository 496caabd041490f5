import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { handleFactory } from '../handle.ts'

/** A Kysely handle whose queries are SQLite's. */
export const sqliteHandle = handleFactory({
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})
