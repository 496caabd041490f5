import type { Client, QueryResult } from 'pg'
import type { TxDb } from '../handle.ts'
import { type Reserved, reserve } from './appending.ts'
import { createConnection, postgresHandle } from './connection.ts'
import { sentTogether } from './lines.ts'
import { readNewest } from './message-ids.ts'
import type { PostgresPeers } from './peers.ts'

/**
 * The lock that a transaction of any process holds from before its first read to its commit. It puts all writes in one
 * order. Transactions of appending writes hold it together, and have an order of their own (appending.ts).
 */
export const WRITE_LOCK = 0x63686174
/** Held besides by a transaction that changes the search index while others append. */
const INDEX_LOCK = 0x6368617b

/** A transaction that all others wait for. */
export interface Begun {
  readonly client: Client
  /** The id of the newest message. */
  readonly newest: number | null
  /** Set if other processes may append at the same time. */
  readonly reserved?: Reserved | undefined
  /** Whether only the search index may be changed. */
  readonly indexing?: boolean | undefined
}

interface BeginOptions {
  name: string
  peers: Pick<PostgresPeers, 'begin'>
  /** Whether this is the first transaction of the connection. */
  reconnected: boolean
  /** Whether its commit may skip waiting for the disk. */
  relaxed: boolean
  /** How many appending writes it is for, if it may run beside appending writes of other processes. */
  appending?: number | undefined
  /** Whether it changes only the search index, and may run beside appending writes of other processes. */
  indexing?: boolean | undefined
  patienceMs: number
}

/**
 * Begins a transaction that all others wait for, and updates the memory of this process. Fails if another process has
 * one for longer than `patienceMs`.
 */
export async function beginTransaction(client: Client, options: BeginOptions): Promise<Begun> {
  const { name, peers, reconnected, appending } = options
  const db = postgresHandle(createConnection(client, name), () => undefined) as TxDb
  return sentTogether(client, async () => {
    const text = appending ? beginning(options) : `${beginning(options)}; ${readNewest}`
    const begun = client.query(text) as unknown as Promise<QueryResult[]>
    // Sent right behind the first statement. If that fails, these fail too.
    const reserved = appending ? reserve(client, appending) : undefined
    const eventIds = reserved?.then(({ events }) => events)
    const [results] = await Promise.all([begun, reserved, eventIds, peers.begin(db, { reconnected, eventIds })])
    return reserved
      ? { client, newest: null, reserved: await reserved }
      : { client, newest: results.at(-1)!.rows[0]!.newest, indexing: options.indexing }
  })
}

/** The statements that begin a transaction and take the lock. */
export const beginning = ({
  relaxed,
  appending,
  indexing,
  patienceMs,
}: Pick<BeginOptions, 'relaxed' | 'appending' | 'indexing' | 'patienceMs'>): string =>
  [
    // Each statement sees what was committed before it, whatever the default of the database is.
    'begin isolation level read committed',
    `set local lock_timeout = ${patienceMs}`,
    // Ends a process that holds the lock without progress, if no other process can (stalled-holder.ts). The limit is a
    // little longer than others wait, so that a transaction that resumes just in time isn't undone.
    `set local idle_in_transaction_session_timeout = ${Math.ceil(1.2 * patienceMs)}`,
    ...(relaxed ? ['set local synchronous_commit = off'] : []),
    `select pg_advisory_xact_lock${appending || indexing ? '_shared' : ''}(${WRITE_LOCK})`,
    ...(indexing ? [`select pg_advisory_xact_lock(${INDEX_LOCK})`] : []),
  ].join('; ')
