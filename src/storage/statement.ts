import type { Compilable, CompiledQuery, QueryCompiler } from 'kysely'
import { compilerOf, type Db, runCompiled } from './handle.ts'

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
  const compiled = new WeakMap<QueryCompiler, CompiledQuery<R>>()
  // Nearly always there is one compiler.
  let newest: { compiler: QueryCompiler; query: CompiledQuery<R> } | undefined
  const compile = (db: Db): CompiledQuery<R> => {
    const compiler = compilerOf(db)
    if (newest && newest.compiler === compiler) return newest.query
    const query = (compiler && compiled.get(compiler)) ?? build(db, markers<P>()).compile()
    if (compiler) {
      compiled.set(compiler, query)
      newest = { compiler, query }
    }
    return query
  }
  return (db: Db, values: P): Promise<R[]> => {
    const query = compile(db)
    return runCompiled(
      db,
      query,
      query.parameters.map((p) => (p instanceof Parameter ? boundValue(values, p.name) : p)),
    )
  }
}

const markers = <P extends object>(): P => new Proxy({} as P, { get: (_, name) => new Parameter(String(name)) })

/** @NOTE the driver silently treats undefined as null. */
function boundValue(values: object, name: string): unknown {
  const value = (values as Record<string, unknown>)[name]
  if (value === undefined) throw new TypeError(`the parameter "${name}" is missing; pass null explicitly`)
  return Array.isArray(value) ? boundList(value) : value
}
