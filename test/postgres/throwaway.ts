import type { Client, Pool } from 'pg'
import pg from 'pg'
import type { OpenOptions } from '../../src/storage/open-options.ts'
import { type Connector, connectorFor } from '../../src/storage/postgres/client.ts'
import { openOn } from '../../src/storage/postgres/open-store.ts'
import type { Store } from '../../src/storage/store.ts'

/** An image of a database is another database, named in these bytes. */
const toImage = (name: string): Uint8Array => new TextEncoder().encode(name)
const fromImage = (image: Uint8Array): string => new TextDecoder().decode(image)

let count = 0
const newName = (): string => `t${process.pid}_${++count}`

/** Databases on this server in the place of those in memory. Each ends with the store that was opened on it. */
export function throwawaysOn(url: string): (options: OpenOptions) => Promise<Store> {
  const address = (name: string): string => {
    const parsed = new URL(url)
    parsed.pathname = `/${name}`
    return parsed.href
  }
  const admin = new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true })
  let empty: Promise<string> | undefined

  async function make(from?: string): Promise<string> {
    const name = newName()
    await admin.query(`create database ${name} ${from ? `template ${from}` : 'template template0'}`)
    return name
  }
  /** A database with tables and nothing in them, which the others are copies of. */
  async function makeEmpty(options: OpenOptions): Promise<string> {
    const name = await make()
    const store = await openOn(await connectorFor(address(name)), { ...options, file: address(name) })
    await store.close()
    return name
  }

  return async (options) => {
    const isUsual = options.migrations === undefined
    if (isUsual) empty ??= makeEmpty(options)
    const name = await make(options.image ? fromImage(options.image) : isUsual ? await empty : undefined)
    const connector = reconnecting(await connectorFor(address(name)))
    const store = await openOn(connector, { ...options, file: address(name) })
    let closing: Promise<void> | undefined
    return Object.assign(store, {
      file: ':memory:',
      async image() {
        // A database is copied while nobody uses it.
        await connector.disconnect()
        return toImage(await make(name))
      },
      close: ((close) => () => {
        closing ??= close().then(async () => {
          await connector.disconnect()
          await admin.query(`drop database ${name} with (force)`)
        })
        return closing
      })(store.close),
    })
  }
}

/** Connections that can all be ended, to be opened again when they are next needed. */
function reconnecting(connector: Connector): Connector & { disconnect(): Promise<void> } {
  const clients = new Set<Client>()
  let pool: Pool | undefined
  return {
    ...connector,
    async connect() {
      const client = await connector.connect()
      clients.add(client)
      client.once('end', () => clients.delete(client))
      return client
    },
    pool: () =>
      new Proxy({} as Pool, {
        get: (_, property: keyof Pool) => {
          if (property === 'end') return async () => {}
          pool ??= connector.pool()
          const value = pool[property]
          return typeof value === 'function' ? value.bind(pool) : value
        },
      }),
    async disconnect() {
      const ending = pool
      pool = undefined
      await Promise.all([ending?.end(), ...[...clients].map((client) => client.end())])
    },
  }
}
