import type Database from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
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
export interface Connection extends DatabaseConnection {
  rows(sql: string, parameters: readonly unknown[]): unknown[]
}

export function createConnection(database: Database.Database, mayWrite: boolean): Connection {
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
    rows(sql, parameters) {
      const statement = prepare(sql)
      if (statement.reader) return statement.all(...parameters)
      statement.run(...parameters)
      return []
    },
    async executeQuery<R>(query: CompiledQuery) {
      const statement = prepare(query.sql)
      if (statement.reader) return { rows: statement.all(...query.parameters) as R[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(...query.parameters).changes) }
    },
    // biome-ignore lint/correctness/useYield: there is nothing to yield.
    async *streamQuery() {
      // While rows are taken one by one the connection takes no other query, and so no write.
      throw new Error('rows cannot be streamed; read them in pages')
    },
  }
}

/** Runs before each query of a handle: may wait, where a write is under way, or throw, where it has no business. */
export type Admit = () => Promise<void> | undefined

const adapter = new SqliteAdapter()
const compiler = new SqliteQueryCompiler()
const refuse = () => Promise.reject(new Error('transactions are opened by store.write alone'))
// Queries reach the connection through the executor below; Kysely only wants to see that there is a driver.
const driver: Driver = {
  init: () => Promise.resolve(),
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: () => Promise.resolve(),
  destroy: () => Promise.resolve(),
}
const dialect: Dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => compiler,
}
const config = { dialect }

/** The short way to the connection, for statements compiled before. */
const direct = new WeakMap<Db, { connection: Connection; admit: Admit }>()

/** A Kysely handle on the one connection. It is made for each write, so it is put together from shared parts. */
export function kyselyOn(connection: Connection, admit: Admit): Db {
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    async provideConnection(consumer) {
      const turn = admit()
      if (turn) await turn
      return consumer(connection)
    },
  })
  const db = new Kysely<Tables>({ config, dialect, driver, executor })
  direct.set(db, { connection, admit })
  return db
}

/** Runs a compiled query with these parameters, past the layers that building a query needs. */
export async function runCompiled<R>(db: Db, query: CompiledQuery<R>, parameters: readonly unknown[]): Promise<R[]> {
  const short = direct.get(db)
  if (!short) return (await db.executeQuery<R>({ ...query, parameters })).rows
  const turn = short.admit()
  if (turn) await turn
  return short.connection.rows(query.sql, parameters) as R[]
}
