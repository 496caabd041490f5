import type Database from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Tables } from './tables/index.ts'

export type Db = Kysely<Tables>
declare const writable: unique symbol
/** A handle that may write: only a write hands one out. */
export type TxDb = Db & { readonly [writable]: true }

const MAX_STATEMENTS = 1000

/** One synchronous connection with its prepared statements kept. */
function connection(database: Database.Database, mayWrite: boolean): DatabaseConnection {
  const statements = new Map<string, Database.Statement<unknown[]>>()
  const prepare = (text: string) => {
    const known = statements.get(text)
    if (known) return known
    const made = database.prepare<unknown[]>(text)
    if (!mayWrite && !made.readonly) throw new Error(`only store.write may change the database: ${text.slice(0, 80)}`)
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    statements.set(text, made)
    return made
  }
  return {
    // @NOTE not async: the driver is synchronous, and a promise made here is one turn of the microtask queue less.
    executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      try {
        const statement = prepare(query.sql)
        if (statement.reader) return Promise.resolve({ rows: statement.all(...query.parameters) as R[] })
        const { changes } = statement.run(...query.parameters)
        return Promise.resolve({ rows: [], numAffectedRows: BigInt(changes) })
      } catch (error) {
        return Promise.reject(error)
      }
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      for (const row of prepare(query.sql).iterate(...query.parameters)) yield { rows: [row as R] }
    },
  }
}

/**
 * A Kysely handle on the one connection. `admit` runs before each query: it may wait (a write is under way) or throw
 * (this handle has no business here). Transactions are the write path's alone, so the handle offers none.
 */
export function kyselyOn(database: Database.Database, mayWrite: boolean, admit: () => Promise<void> | undefined): Db {
  const shared = connection(database, mayWrite)
  const refuse = () => Promise.reject(new Error('transactions are opened by store.write alone'))
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: async () => {
      await admit()
      return shared
    },
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  }
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

