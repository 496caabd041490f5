import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './connection.ts'

class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
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
  // One compilation a handle would be one a write handle and one a read handle: the text is the same for both.
  let compiled: CompiledQuery<R> | undefined
  return async (db: Db, values: P): Promise<R[]> => {
    if (!compiled) {
      const markers = new Proxy({} as P, { get: (_, name) => new Parameter(String(name)) })
      compiled = build(db, markers).compile()
    }
    const parameters = compiled.parameters.map((p) => (p instanceof Parameter ? values[p.name as keyof P] : p))
    return (await db.executeQuery<R>({ ...compiled, parameters })).rows
  }
}
