import type { ClientBase } from 'pg'
import type { IdRange } from '../store.ts'
import { nameOf } from './connection.ts'
import { type Change, type Inserts, inFewStatements, kindOf, type Row } from './inserts.ts'
import { MESSAGE_SEQUENCE } from './message-ids.ts'

/**
 * Transactions of several processes that only append (decisions/0012). They hold the write lock together, and reserve
 * their ids when they begin. They commit in the order of their ids, so readers never see a row before one with a lower
 * id.
 */

/** Held while ids are reserved, for less than a millisecond. */
const NUMBERS_LOCK = 0x6368617a
/** A transaction holds the lock with this number plus its highest event id, until it ends. Ids have less than 40 bits. */
export const TURN_LOCKS = 0x63 * 2 ** 40
const EVENT_SEQUENCE = 'event_id_seq'

/** The ids that a transaction reserved for as many writes. */
export interface Reserved {
  readonly messages: IdRange
  readonly events: IdRange
}

/**
 * Reserves ids, and a turn to commit. The ids of events come after all that were assigned to stored and transient
 * events. What other processes have reserved is in the sequences, which are no part of a transaction. One prepared
 * statement, because parsing four takes the database longer than running them. Each part reads the part before it, so
 * they run in this order. The rest of what it reads changes only under the exclusive lock.
 */
const RESERVE = `
  with alone as materialized (select pg_advisory_lock(${NUMBERS_LOCK}) is null as held),
  reserved as materialized (
    select setval('${MESSAGE_SEQUENCE}', $1::bigint + coalesce(pg_sequence_last_value('${MESSAGE_SEQUENCE}'), 0)) as messages,
      setval('${EVENT_SEQUENCE}', $1::bigint + greatest(pg_sequence_last_value('${EVENT_SEQUENCE}'),
        (select max(id) from event), (select transient_up_to from event_log_state))) as events
    from alone where held is not null),
  turn as materialized (
    select messages, events, pg_advisory_xact_lock(${TURN_LOCKS} + events) is null as taken from reserved)
  select messages, events, pg_advisory_unlock(${NUMBERS_LOCK}) from turn where taken is not null`

/** Reserves ids for as many writes. Call it when the transaction has the lock of all writes. */
export async function reserve(client: ClientBase, writes: number): Promise<Reserved> {
  const { rows } = await client.query({ text: RESERVE, values: [writes], name: nameOf(RESERVE) })
  const { messages, events } = rows[0]!
  return { messages: range(messages, writes), events: range(events, writes) }
}

const range = (upTo: number, count: number): IdRange => ({ after: upTo - count, upTo })

/** Waits until all transactions with lower ids have ended, however they do. */
const WAIT = (() => {
  const key = '((classid::bigint << 32) | objid::bigint)'
  return `select pg_advisory_xact_lock_shared(${key}) from pg_locks
    where locktype = 'advisory' and objsubid = 1 and mode = 'ExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())
      and ${key} > ${TURN_LOCKS} and ${key} < ${TURN_LOCKS} + $1::bigint`
})()

/**
 * Tables whose rows have ids that the transaction reserved. Inserting them conflicts with no other transaction. Others
 * don't see them yet, so an appending write doesn't read these tables.
 */
const NUMBERED = /^insert into "(message|event|message_flag)" /
/**
 * Tables with a unique key by which a request is repeated. Their rows are inserted when all earlier transactions have
 * ended. If one of them has the key, the insert fails, and the write runs again alone.
 */
const KEYED = /^insert into "send_receipt" /
/** Reads that give the same rows whatever other appending transactions do, except for the keys above. */
const READ = /^select .* from "/s
const APPENDED = /"(message|event|message_flag)"/
const CALLS = /\b(setval|nextval|pg_\w+)\(/

/** Returns whether a write may run a statement while other processes append. */
export const mayRunBeside = (sql: string): boolean => READ.test(sql) && !APPENDED.test(sql) && !CALLS.test(sql)

const INDEXES = /^(insert into|update|delete from) "(search_text|message_search|search_progress)"/

/** Returns whether a write to the search index may run a statement while other processes append. */
export const mayRunIndexing = (sql: string): boolean => INDEXES.test(sql) || (READ.test(sql) && !CALLS.test(sql))

/** The rows that the writes of a transaction append. They are sent when all writes have run. */
export interface Appends extends Inserts {
  /** Returns a place to undo to. */
  mark(): number
  undoTo(mark: number): void
  readonly isEmpty: boolean
  /** Sends the rows. They are inserted in the transaction's turn. */
  sendInTurn(upTo: number): void
}

export function collectAppends(client: ClientBase): Appends {
  let rows: (Row & { readonly isKeyed: boolean })[] = []
  // A failure shows in the response to the commit.
  const send = ({ text, values }: Change) => void client.query({ text, values, name: nameOf(text) }).catch(() => {})
  const sendRows = (all: readonly Row[]) => {
    for (const change of inFewStatements(all)) send(change)
  }
  return {
    take(sql, values) {
      const isKeyed = KEYED.test(sql)
      const kind = isKeyed || NUMBERED.test(sql) ? kindOf(sql) : undefined
      if (kind) rows.push({ kind, values, isKeyed })
      return kind !== undefined
    },
    // Nothing that an appending write reads depends on its rows.
    flush() {},
    mark: () => rows.length,
    undoTo(mark) {
      rows = rows.slice(0, mark)
    },
    get isEmpty() {
      return rows.length === 0
    },
    sendInTurn(upTo) {
      sendRows(rows.filter(({ isKeyed }) => !isKeyed))
      send({ text: WAIT, values: [upTo] })
      sendRows(rows.filter(({ isKeyed }) => isKeyed))
    },
  }
}
