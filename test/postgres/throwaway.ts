import type { Socket } from 'node:net'
import pg from 'pg'
import type { OpenOptions } from '../../src/storage/open-options.ts'
import { type Connector, connectorFor } from '../../src/storage/postgres/client.ts'
import { openOn, openPostgres } from '../../src/storage/postgres/open-store.ts'
import type { Store } from '../../src/storage/store.ts'
import { resetFunctions } from './reset.ts'

/** A database that is used again and again: making one takes longer than most tests. */
interface Reusable {
  readonly url: string
  /** Its connections, which are used again and again too: a new one has everything to plan. */
  readonly connector: Connector
  /** To read and set its content with. */
  readonly client: pg.Client
  /** Its content before anything was done with it. */
  readonly empty: string
  /** How often it was used. */
  uses: number
}

/** After so many uses, the space of deleted rows is freed. The test server doesn't do so by itself, and scans would read them. */
const USES_OF_SPACE = 40

export interface Throwaways {
  /** Opens a store in the place of one in memory. */
  open(options: OpenOptions): Promise<Store>
  /** An empty database, for as long as it is needed. */
  borrow(): Promise<{ readonly url: string } & AsyncDisposable>
}

/** How many databases this process has made. */
let count = 0

/** Databases on this server, one for each need. */
export function throwawaysOn(url: string): Throwaways {
  const free: Reusable[] = []

  async function make(migrations?: OpenOptions['migrations']): Promise<Reusable> {
    const name = `t${process.pid}_${++count}`
    const admin = await connect(url)
    try {
      const { rows } = await admin.query(`select current_setting('server_version_num')::int >= 150000 as chooses`)
      await admin.query(`create database ${name} template template0 ${rows[0].chooses ? 'strategy file_copy' : ''}`)
    } finally {
      await admin.end()
    }
    const address = new URL(url)
    address.pathname = `/${name}`
    const store = await openPostgres({ file: address.href, ...(migrations && { migrations }) })
    await store.close()
    const client = await connect(address.href)
    await ask(client, resetFunctions)
    const connector = keepConnections(await connectorFor(address.href))
    return { url: address.href, connector, client, empty: await imageOf(client), uses: 0 }
  }

  async function take(image?: Uint8Array): Promise<Reusable> {
    const database = free.pop() ?? (await make())
    const content = image ? new TextDecoder().decode(image) : database.empty
    await ask(database.client, 'select testkit.restore($1::json)', [content])
    if (++database.uses % USES_OF_SPACE === 0) await ask(database.client, 'vacuum')
    return database
  }

  async function borrow() {
    const database = await take()
    return { url: database.url, [Symbol.asyncDispose]: async () => void free.push(database) }
  }

  async function open(options: OpenOptions): Promise<Store> {
    // A database with other migrations is used once.
    const database = options.migrations ? await make(options.migrations) : await take(options.image)
    const store = await openOn(database.connector, { ...options, file: database.url })
    const { close } = store
    let closing: Promise<void> | undefined
    return Object.assign(store, {
      file: ':memory:',
      image: async () => new TextEncoder().encode(await imageOf(database.client)),
      close: () => {
        closing ??= close().then(() => void (options.migrations ? database.client.end() : free.push(database)))
        return closing
      },
    })
  }

  return { open, borrow }
}

/** As the connector, but what is closed waits for the next who opens. */
function keepConnections(connector: Connector): Connector {
  const idle: pg.Client[] = []
  const pool = connector.pool()
  pool.end = async () => {}
  async function connect(): Promise<pg.Client> {
    const client = await connector.connect()
    client.end = async () => {
      for (const event of ['notification', 'end']) client.removeAllListeners(event)
      try {
        await client.query('rollback; unlisten *; select pg_advisory_unlock_all()')
        streamOf(client).unref()
        idle.push(client)
      } catch {
        // It was lost.
      }
    }
    return client
  }
  return {
    name: connector.name,
    pool: () => pool,
    async connect() {
      let client = idle.pop()
      // A test may have cut it.
      while (client && streamOf(client).destroyed) client = idle.pop()
      if (!client) return connect()
      streamOf(client).ref()
      return client
    },
  }
}

async function imageOf(client: pg.Client): Promise<string> {
  return (await ask(client, 'select testkit.image() as image')).rows[0].image
}

const streamOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/** A test's process ends when the tests do: a connection keeps it alive only while it is asked something. */
async function ask(client: pg.Client, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const stream = streamOf(client)
  stream.ref()
  try {
    return await (values.length > 0 ? client.query(text, values) : client.query(text))
  } finally {
    stream.unref()
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}
