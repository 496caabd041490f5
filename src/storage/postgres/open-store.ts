import { sql } from 'kysely'
import type { Pool } from 'pg'
import { codeOf, StorageError, storeClosed } from '../errors.ts'
import type { Db } from '../handle.ts'
import { applied, migrate, pending, migrations as released } from '../migrate.ts'
import type { Migration } from '../migration.ts'
import type { OpenOptions } from '../open-options.ts'
import type { Store } from '../store.ts'
import { type Connector, connectorFor } from './client.ts'
import { createConnection, postgresHandle, type Queryable } from './connection.ts'
import { postgres } from './dialect.ts'
import { openFailure } from './errors.ts'
import { createPeers } from './peers.ts'
import { createWriter } from './writer.ts'

/** PostgreSQL 14 is the oldest version with support. */
const OLDEST_VERSION = 140_000
/** The first process to start holds this lock while it migrates the schema. */
const MIGRATION_LOCK = 0x63686175

type Options = Pick<OpenOptions, 'file' | 'now' | 'groupMs' | 'patienceMs' | 'migrations'>

/**
 * Opens and migrates a database of a PostgreSQL server. Several processes may use it. Throws StorageError: newer,
 * unsupported, unavailable.
 */
export const openPostgres = async (options: Options): Promise<Store> =>
  openOn(await connectorFor(options.file, options.patienceMs), options)

/** Like `openPostgres`, with this connector. */
export async function openOn(connector: Connector, options: Options): Promise<Store> {
  const { name } = connector
  const pool = connector.pool()
  let closed = false
  const reader = onlyReading(pool, 'only store.write may change the database')
  // Without the check of `db`, because the writer reads while a write waits.
  const unchecked = postgresHandle(createConnection(pool, name), () => undefined)
  const writer = createWriter(connector, unchecked, () => peers, options)
  const db = postgresHandle(createConnection(reader, name), () => {
    if (closed) throw storeClosed()
    if (writer.isInside) {
      throw new StorageError('misuse', "the read handle was used inside a write; use the write's own handle")
    }
    return undefined
  })
  const peers = createPeers(connector, db, () => writer)
  async function close(): Promise<void> {
    if (closed) return
    await writer.close()
    await peers.stop()
    closed = true
    await pool.end()
  }
  try {
    await bringUpToDate(connector, db, writer, options)
    await peers.start()
  } catch (error) {
    await close()
    throw openFailure(error, name)
  }
  const notHere = (what: string) => Promise.reject(new StorageError('unsupported', what))
  return {
    file: name,
    dialect: postgres,
    db,
    write: writer.write,
    observeCommits: writer.observeCommits,
    snapshot: (work) => {
      if (closed) return Promise.reject(storeClosed())
      return inSnapshot(pool, name, work)
    },
    backup: () => notHere(`Back up ${name} with the database's own tools: pg_dump --format=custom`),
    image: () => notHere('a PostgreSQL database has no image; use pg_dump to copy it'),
    inspect: () => notHere("use PostgreSQL's own tools to inspect the database"),
    async sizes() {
      const size = sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
      return { database_bytes: (await size.execute(db)).rows[0]!.bytes, log_bytes: 0 }
    },
    peers,
    close,
  }
}

async function bringUpToDate(
  connector: Connector,
  db: Db,
  writer: Pick<Store, 'write'>,
  { now = unixSeconds, migrations = released }: Options,
): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
  const { version } = rows[0]!
  if (Number(version) < OLDEST_VERSION) {
    throw new StorageError(
      'unsupported',
      `${connector.name} is PostgreSQL ${version}. Version 14 or newer is required.`,
    )
  }
  if ((await missing(db, migrations)).length === 0) return
  const lock = await connector.connect()
  try {
    await lock.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    // Another process may have done it while this one waited.
    await migrate(writer, postgres, await missing(db, migrations), now)
  } finally {
    await lock.end()
  }
}

async function missing(db: Db, migrations: readonly Migration[]) {
  const { rows } = await sql<{ there: number }>`select to_regclass('migration') is not null as there`.execute(db)
  return pending(await applied(db, rows[0]!.there === 1), migrations)
}

/** SQLSTATE: a change on a read-only connection. */
const READ_ONLY = '25006'

const onlyReading = (queryable: Queryable, refusal: string): Queryable => ({
  query: (config) =>
    queryable.query(config).catch((error) => {
      throw codeOf(error) === READ_ONLY ? new StorageError('misuse', refusal, { cause: error }) : error
    }),
})

async function inSnapshot<T>(pool: Pool, name: string, work: (db: Db) => Promise<T>): Promise<T> {
  let over = false
  const client = await pool.connect().catch((error) => {
    throw openFailure(error, name)
  })
  try {
    await client.query('begin isolation level repeatable read read only')
    const reader = onlyReading(client, 'a snapshot is read-only')
    const db = postgresHandle(createConnection(reader, name), () => {
      if (over) throw new StorageError('misuse', 'a snapshot was used after it was closed')
      return undefined
    })
    return await work(db)
  } finally {
    over = true
    const ended = await client.query('commit').catch((error: Error) => error)
    client.release(ended instanceof Error ? ended : undefined)
  }
}

const unixSeconds = () => Math.floor(Date.now() / 1000)
