import type { IdRange } from '../store.ts'
import type { Foreseen } from './connection.ts'

export const MESSAGE_SEQUENCE = 'message_id_seq'
const INSERT = /^insert into "message" \((.+)\) values \((.+)\) returning "id"$/

/** Sent after taking the lock: returns the newest message id, or null if there is no message yet. */
export const readNewest = `select pg_sequence_last_value(to_regclass('${MESSAGE_SEQUENCE}')) as newest`

/** A range of ids that is reserved: `numberAbove` of the dialect. */
const NUMBER_ABOVE = /^select setval\(pg_get_serial_sequence\(\$1, 'id'\), (\d+)\)$/

/**
 * The ids of the messages that one transaction inserts. It holds the lock, so they are known before the database
 * returns them.
 */
export interface MessageIds {
  /** Returns the insert with its id; undefined for other statements. */
  numbered(sql: string, parameters: readonly unknown[]): Foreseen | undefined
  /** Notes a statement that reserves ids: later inserts of the transaction come after them. */
  reserve(sql: string, parameters: readonly unknown[]): void
  /** The newest id, with those that were assigned; null if there is none. */
  readonly newest: number | null
  /** Sent before the commit if ids were assigned. */
  readonly advance: string | undefined
}

/** The texts of the inserts. In practice there is one. */
const withId = new Map<string, string | undefined>()

/** @param reserved - the only ids that may be assigned, if other processes assign some at the same time */
export function createMessageIds(newest: number | null, reserved?: IdRange): MessageIds {
  let last = reserved?.after ?? newest ?? 0
  const most = reserved?.upTo ?? Number.MAX_SAFE_INTEGER
  return {
    numbered(sql, parameters) {
      const text = withId.has(sql) ? withId.get(sql) : rewrite(sql, parameters.length)
      if (text === undefined || last === most) return undefined
      last++
      return { sql: text, parameters: [...parameters, last], rows: [{ id: last }] }
    },
    reserve(sql, parameters) {
      const [, above] = parameters[0] === '"message"' ? (NUMBER_ABOVE.exec(sql) ?? []) : []
      if (above !== undefined) last = Math.max(last, Number(above))
    },
    get newest() {
      return last > (newest ?? 0) ? last : newest
    },
    get advance() {
      return !reserved && last > (newest ?? 0) ? `select setval('${MESSAGE_SEQUENCE}', ${last})` : undefined
    },
  }
}

function rewrite(sql: string, parameters: number): string | undefined {
  const [, columns, values] = INSERT.exec(sql) ?? []
  const text = columns && `insert into "message" (${columns}, "id") values (${values}, $${parameters + 1})`
  withId.set(sql, text)
  return text
}
