import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type DialectAdapter,
  type Driver,
  Kysely,
  type Dialect as KyselyDialect,
  type KyselyProps,
  type QueryCompiler,
} from 'kysely'
import { after, type Soon } from './soon.ts'
import type { Tables } from './tables/index.ts'

export type Db = Kysely<Tables>
declare const writable: unique symbol
/** A handle that may write; only `store.write` provides one. */
export type TxDb = Db & { readonly [writable]: true }

/** Runs queries: a connection in this thread, or a proxy for one in another. */
export interface Connection {
  /** The rows of a statement that returns rows; none for others. */
  rows(sql: string, parameters: readonly unknown[]): Soon<unknown[]>
  /**
   * Runs an insert of one row into a table whose key is `id`, and returns the new id. SQLite knows the id without
   * `returning`, which takes a third of a short insert. Missing in databases that need the clause.
   */
  insert?(sql: string, parameters: readonly unknown[]): number
  /** Like `rows`, for Kysely, which also needs the number of changed rows. */
  run(query: CompiledQuery): Promise<{ rows: unknown[]; numAffectedRows?: bigint }>
}

/** Called before each query of a handle. It may wait for a write in progress, or throw if the query must not run. */
export type Admit = () => Promise<void> | undefined

interface Path {
  compiler: QueryCompiler
  connection: Connection
  admit: Admit
}
/** A handle with direct access to the connection, for precompiled statements. */
class Handle extends Kysely<Tables> {
  readonly path: Path

  constructor(path: Path, props: KyselyProps) {
    super(props)
    this.path = path
  }
}

const pathOf = (db: Db): Path | undefined => (db instanceof Handle ? db.path : undefined)

/**
 * Returns a function that creates Kysely handles of one dialect. Each write has its own handle, so they consist of
 * shared parts.
 */
export function handleFactory(
  dialect: Pick<KyselyDialect, 'createAdapter' | 'createQueryCompiler' | 'createIntrospector'>,
): (connection: Connection, admit: Admit) => Db {
  const adapter: DialectAdapter = dialect.createAdapter()
  const compiler = dialect.createQueryCompiler()
  const kysely: KyselyDialect = {
    createAdapter: () => adapter,
    createDriver: () => driver,
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => compiler,
  }
  const config = { dialect: kysely }
  return (connection, admit) => {
    const forKysely: DatabaseConnection = {
      executeQuery: <R>(query: CompiledQuery) => connection.run(query) as Promise<{ rows: R[] }>,
      // biome-ignore lint/correctness/useYield: there is nothing to yield.
      async *streamQuery() {
        // While rows are streamed, the connection accepts no other query, and therefore no write.
        throw new Error('rows cannot be streamed; read them in pages')
      },
    }
    const executor = new DefaultQueryExecutor(compiler, adapter, {
      async provideConnection(consumer) {
        const turn = admit()
        if (turn) await turn
        return consumer(forKysely)
      },
    })
    return new Handle({ compiler, connection, admit }, { config, dialect: kysely, driver, executor })
  }
}

const refuse = () => Promise.reject(new Error('use store.write to open transactions'))
// Queries reach the connection through the executor above. Kysely only requires a driver.
const driver: Driver = {
  init: () => Promise.resolve(),
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: () => Promise.resolve(),
  destroy: () => Promise.resolve(),
}

/** Returns the compiler of a handle's queries. Handles with equal query texts have the same one. */
export const compilerOf = (db: Db): QueryCompiler | undefined => pathOf(db)?.compiler

/** Runs a compiled query with these parameters, without Kysely's query building. */
export function runCompiled<R>(db: Db, query: CompiledQuery<R>, parameters: readonly unknown[]): Soon<R[]> {
  const path = pathOf(db)
  if (!path) return db.executeQuery<R>({ ...query, parameters }).then(({ rows }) => rows)
  return after(path.admit(), () => path.connection.rows(query.sql, parameters) as Soon<R[]>)
}

/** An insert of one row, with and without the clause that returns the new id. */
export interface CompiledInsert {
  returning: CompiledQuery<{ id: number }>
  plain: string
}

/** Runs a compiled insert, and returns the id of the new row. */
export function runInsert(db: Db, { returning, plain }: CompiledInsert, parameters: readonly unknown[]): Soon<number> {
  const path = pathOf(db)
  const insert = path?.connection.insert
  if (!insert) return after(runCompiled(db, returning, parameters), (rows) => rows[0]!.id)
  return after(path.admit(), () => insert(plain, parameters))
}
