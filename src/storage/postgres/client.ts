import type { Client, ClientConfig, CustomTypesConfig, Pool } from 'pg'
import { withoutPassword } from './address.ts'
import { openFailure } from './errors.ts'
import { createLines } from './lines.ts'
import { importPg } from './pg-package.ts'

/** Object ids of the types that come as JavaScript numbers: int8, int4, int2, numeric; and of bool, as 0 or 1. */
const NUMBERS = new Set([20, 23, 21, 1700])
const BOOL = 16
const BYTES = 17

const asNumber = (text: string): number => Number(text)
const asFlag = (text: string): number => (text === 't' ? 1 : 0)
const asBytes = (text: string): Uint8Array => Buffer.from(text.slice(2), 'hex')
const asText = (text: string): string => text

const types: CustomTypesConfig = {
  getTypeParser: (oid: number) =>
    NUMBERS.has(oid) ? asNumber : oid === BOOL ? asFlag : oid === BYTES ? asBytes : asText,
} as CustomTypesConfig

/** Readers change nothing, by mistake either. */
const READ_ONLY = '-c default_transaction_read_only=on'
/** The server finds out within 11 seconds that a process is gone, so that what it held is free for others. */
const ALIVE =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=11000'
const KEEP_ALIVE_MS = 5000
/** So long others wait; it is also the time to connect in. */
const PATIENCE_MS = 10_000
/** Whether the server is still there for a connection is asked when nothing was received for this part of it of what it was sent. */
const SILENT = 0.4
/** Connections of this process for reading. */
const MAX_READERS = 8
const IDLE_MS = 30_000

export interface Connector {
  /** The address without its password, for messages. */
  readonly name: string
  /** A connection of its own, on which queries are sent without waiting for the answer to the one before. */
  connect(): Promise<Client>
  pool(): Pool
}

/**
 * How this process reaches a database, by its address. What cannot be reached is given up before `patienceMs` have passed. Throws
 * StorageError `unsupported` where the driver is missing.
 */
export async function connectorFor(url: string, patienceMs = PATIENCE_MS): Promise<Connector> {
  const name = withoutPassword(url)
  const pg = await importPg().catch((error) => {
    throw openFailure(error, name)
  })
  const config: ClientConfig = {
    connectionString: url,
    types,
    application_name: 'chat-server',
    options: ALIVE,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: patienceMs,
  }
  const silentMs = SILENT * patienceMs
  const lines = createLines(async () => {
    const examiner = new pg.Client({ ...config, connectionTimeoutMillis: silentMs, query_timeout: silentMs })
    examiner.on('error', () => {})
    await examiner.connect()
    return examiner
  }, silentMs)
  return {
    name,
    async connect() {
      const client = new pg.Client({ ...config, pipeline: true } as ClientConfig)
      // Without a listener the loss of an idle connection would end the process; the next query reports it.
      client.on('error', () => {})
      try {
        await client.connect()
        await lines.watch(client)
      } catch (error) {
        throw openFailure(error, name)
      }
      return client
    },
    pool() {
      const pool = new pg.Pool({
        ...config,
        options: `${ALIVE} ${READ_ONLY}`,
        max: MAX_READERS,
        idleTimeoutMillis: IDLE_MS,
        allowExitOnIdle: true,
        verify: (client, done) => void lines.watch(client).then(() => done(), done),
      })
      pool.on('error', () => {})
      // Out of the pool, and while it is verified, a connection has no other listener, and its loss would end the process. The query
      // under way reports it, or the next.
      pool.on('connect', (client) => client.on('error', () => {}))
      pool.on('acquire', (client) => lines.rests(client, false))
      pool.on('release', (_, client) => lines.rests(client, true))
      return pool
    },
  }
}
