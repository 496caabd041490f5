import type { Client, ClientConfig, CustomTypesConfig, Pool } from 'pg'
import { withoutPassword } from './address.ts'
import { openFailure } from './errors.ts'

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
/** A connection that is dead is found out within this time, so that what it holds is free for others. */
const ALIVE = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3'
const CONNECT_MS = 10_000
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

/** How this process reaches a database, by its address. Throws StorageError `unsupported` where the driver is missing. */
export async function connectorFor(url: string): Promise<Connector> {
  const name = withoutPassword(url)
  const pg = await import('pg').catch((error) => {
    throw openFailure(error, name)
  })
  const config: ClientConfig = {
    connectionString: url,
    types,
    application_name: 'chat-server',
    options: ALIVE,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  }
  return {
    name,
    async connect() {
      const client = new pg.default.Client({ ...config, pipeline: true } as ClientConfig)
      // Without a listener the loss of an idle connection would end the process; the next query reports it.
      client.on('error', () => {})
      try {
        await client.connect()
      } catch (error) {
        throw openFailure(error, name)
      }
      return client
    },
    pool() {
      const pool = new pg.default.Pool({
        ...config,
        options: `${ALIVE} ${READ_ONLY}`,
        max: MAX_READERS,
        idleTimeoutMillis: IDLE_MS,
        allowExitOnIdle: true,
      })
      pool.on('error', () => {})
      return pool
    },
  }
}
