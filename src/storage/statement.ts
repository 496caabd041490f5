import type { Compilable, CompiledQuery, QueryCompiler } from 'kysely'
import { type CompiledInsert, compilerOf, type Db, runCompiled, runInsert } from './handle.ts'
import type { Soon } from './soon.ts'

class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  /** A placeholder in a string would be compiled into the query text, the same for every call. */
  toJSON(): never {
    throw new TypeError(`the parameter "${this.name}" has no value yet, so it can only be bound unchanged`)
  }
  [Symbol.toPrimitive](): never {
    return this.toJSON()
  }
}

/** Returns a list as one bound value for `idsIn` and the like: JSON. In a statement it is bound when it runs. */
export const boundList = (list: readonly unknown[]): unknown =>
  (list as unknown) instanceof Parameter ? list : JSON.stringify(list)

/**
 * Compiles a query once per dialect, to run it many times. Building and compiling costs more than a short query
 * itself.
 * @example
 * const userByDigest = statement((db, p: { digest: string }) =>
 *   db.selectFrom('api_key').select('user_id').where('digest', '=', p.digest))
 * const rows = await userByDigest(db, { digest })
 */
export function statement<P extends object, R>(build: (db: Db, parameters: P) => Compilable<R>) {
  const compile = compiledOnce(build, (query) => query)
  return (db: Db, values: P): Soon<R[]> => {
    const query = compile(db)
    return runCompiled(db, query, boundValues(query, values))
  }
}

const RETURNING_ID = ' returning "id"'

/**
 * Like `statement`, for an insert of one row that ends with `returning('id')`. Returns the new id.
 * @example
 * const insertTopic = insertion((db, p: { name: string }) =>
 *   db.insertInto('topic').values({ name: p.name }).returning('id'))
 * const id = await insertTopic(db, { name })
 */
export function insertion<P extends object>(build: (db: Db, parameters: P) => Compilable<{ id: number }>) {
  const compile = compiledOnce(build, (returning): CompiledInsert => {
    if (!returning.sql.endsWith(RETURNING_ID)) throw new TypeError('the insert returns something other than its id')
    return { returning, plain: returning.sql.slice(0, -RETURNING_ID.length) }
  })
  return (db: Db, values: P): Soon<number> => {
    const insert = compile(db)
    return runInsert(db, insert, boundValues(insert.returning, values))
  }
}

/** Returns a function that compiles a query once per dialect, and prepares it for running. */
function compiledOnce<P extends object, R, C>(
  build: (db: Db, parameters: P) => Compilable<R>,
  prepare: (query: CompiledQuery<R>) => C,
): (db: Db) => C {
  const compiled = new WeakMap<QueryCompiler, C>()
  // Nearly always there is one compiler.
  let newest: { compiler: QueryCompiler; query: C } | undefined
  return (db) => {
    const compiler = compilerOf(db)
    if (newest && newest.compiler === compiler) return newest.query
    const query = (compiler && compiled.get(compiler)) ?? prepare(build(db, markers<P>()).compile())
    if (compiler) {
      compiled.set(compiler, query)
      newest = { compiler, query }
    }
    return query
  }
}

const boundValues = ({ parameters }: CompiledQuery, values: object): unknown[] =>
  parameters.map((p) => (p instanceof Parameter ? boundValue(values, p.name) : p))

const markers = <P extends object>(): P => new Proxy({} as P, { get: (_, name) => new Parameter(String(name)) })

/** @NOTE the driver silently treats undefined as null. */
function boundValue(values: object, name: string): unknown {
  const value = (values as Record<string, unknown>)[name]
  if (value === undefined) throw new TypeError(`the parameter "${name}" is missing; pass null explicitly`)
  return Array.isArray(value) ? boundList(value) : value
}
