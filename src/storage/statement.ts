import type { Compilable, CompiledQuery } from 'kysely'
import { type Db, runCompiled } from './connection.ts'

class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  /** A text made from it would be compiled in, the same for every call. */
  toJSON(): never {
    throw new TypeError(`the parameter "${this.name}" has no value yet: it can only be bound as it is`)
  }
  [Symbol.toPrimitive](): never {
    return this.toJSON()
  }
}

/**
 * A query compiled once and run many times: building and compiling costs more than a short query itself.
 *
 * @example
 * const userByDigest = statement((db, p: { digest: string }) =>
 *   db.selectFrom('api_key').select('user_id').where('digest', '=', p.digest))
 * const rows = await userByDigest(db, { digest })
 */
export function statement<P extends object, R>(build: (db: Db, parameters: P) => Compilable<R>) {
  // The text is the same for every handle.
  let compiled: CompiledQuery<R> | undefined
  return (db: Db, values: P): Promise<R[]> => {
    if (!compiled) {
      const markers = new Proxy({} as P, { get: (_, name) => new Parameter(String(name)) })
      compiled = build(db, markers).compile()
    }
    const parameters = compiled.parameters.map((p) => (p instanceof Parameter ? given(values, p.name) : p))
    return runCompiled(db, compiled, parameters)
  }
}

/** @NOTE the driver takes undefined for null without a word. */
function given(values: object, name: string): unknown {
  const value = (values as Record<string, unknown>)[name]
  if (value === undefined) throw new TypeError(`the parameter "${name}" was not given; null is said as null`)
  return value
}
