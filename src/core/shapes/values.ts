import * as v from 'valibot'

/** Values that the API's objects share. Objects are strict: a member without a shape fails a test. */

export const integer = v.pipe(v.number(), v.integer())
export const id = integer
export const ids = v.array(id)
/** Seconds since 1970, whole. */
export const unixTime = v.pipe(integer, v.description('Unix time in seconds'))
/** The result of an action without one. */
export const empty = v.strictObject({})
/** An empty list, for features this server does not have. */
export const emptyList = v.array(v.never())

/** Makes each member optional. */
export const optional = <E extends v.ObjectEntries>(entries: E) =>
  Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, v.exactOptional(schema)])) as {
    [N in keyof E]: v.ExactOptionalSchema<E[N], undefined>
  }

/** The same type, read-only. */
export type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T
