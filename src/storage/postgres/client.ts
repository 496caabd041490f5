import type { Client, ClientConfig, CustomTypesConfig, Pool } from 'pg'
import { withoutPassword } from './address.ts'
import { openFailure } from './errors.ts'
import { createLines } from './lines.ts'
import { importPg } from './pg-package.ts'

/** Object ids of the types that become JavaScript numbers: int8, int4, int2, numeric. bool becomes 0 or 1. */
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

/** Keeps readers from changing anything by mistake. */
const READ_ONLY = '-c default_transaction_read_only=on'
/** The server notices within 11 seconds that a process is gone, and releases its locks. */
const ALIVE =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=11000'
const KEEP_ALIVE_MS = 5000
/** How long callers wait, in milliseconds; also the limit for connecting. */
const PATIENCE_MS = 10_000
/**
 * After this share of the patience without a response, the process checks whether the server still serves a
 * connection.
 */
const SILENT = 0.4
/** Read connections of this process. */
const MAX_READERS = 8
const IDLE_MS = 30_000

export interface Connector {
  /** The address without its password, for messages. */
  readonly name: string
  /** Opens a separate connection, on which queries are sent without waiting for earlier responses. */
  connect(): Promise<Client>
  pool(): Pool
}

/**
 * Returns how to reach a database by its address. Connecting fails before `patienceMs` have passed. Throws
 * StorageError `unsupported` if the driver is missing.
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
      // Without a listener, losing an idle connection would end the process. The next query reports it.
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
      // Outside the pool, and while it is verified, a connection has no other listener, and losing it would end the
      // process. The current or next query reports it.
      pool.on('connect', (client) => client.on('error', () => {}))
      pool.on('acquire', (client) => lines.rests(client, false))
      pool.on('release', (_, client) => lines.rests(client, true))
      return pool
    },
  }
}
