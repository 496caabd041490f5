import { sql } from 'kysely'

/** SQLite has no booleans, and its driver rejects `true`. Every dialect stores 0 or 1. */
export type Flag = 0 | 1

export const flag = (value: boolean): Flag => (value ? 1 : 0)

/**
 * A flag in a condition, written into the query's text. If a partial index depended on a bound value, SQLite would
 * plan the statement at each call: 42 µs for a look-up of 1.5 µs.
 */
export const isSet = sql.lit<Flag>(1)
export const isUnset = sql.lit<Flag>(0)
