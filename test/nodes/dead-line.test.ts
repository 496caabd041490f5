import assert from 'node:assert/strict'
import test from 'node:test'
import { sql } from 'kysely'
import { openPostgres } from '../../src/storage/postgres/open-store.ts'
import type { Store } from '../../src/storage/store.ts'
import { eventually } from '../eventually.ts'
import { borrowDatabase, needsServer } from './nodes.ts'
import { isRefused } from './refused.ts'
import { type Network, networkTo } from './vanishing.ts'

/** A connection is examined after two fifths of this. */
const PATIENCE_MS = 2000

interface Far extends AsyncDisposable {
  /** Of a node that reaches the database by way of the network. */
  readonly store: Store
  readonly network: Network
  /** Of a node beside the database. */
  near(): Promise<Store>
}

async function far(): Promise<Far> {
  const database = await borrowDatabase()
  const network = await networkTo(database.url)
  const stores: Store[] = []
  const open = async (file: string) => {
    const store = await openPostgres({ file, patienceMs: PATIENCE_MS })
    stores.push(store)
    return store
  }
  return {
    store: await open(network.url),
    network,
    near: () => open(database.url),
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store.close()))
      await network[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const put = (store: Store, name: string) =>
  store.write(async ({ db }) => {
    await db.insertInto('organization_setting').values({ name, value: '1' }).execute()
  })

async function names(store: Store): Promise<string[]> {
  const rows = await store.db.selectFrom('organization_setting').select('name').where('name', 'like', 'd-%').execute()
  return rows.map(({ name }) => name).sort()
}

test('reads and writes replace a dead connection', needsServer, async () => {
  await using f = await far()
  await put(f.store, 'd-first')
  assert.deepEqual(await names(f.store), ['d-first'])
  f.network.vanish()
  await put(f.store, 'd-second')
  // What rested in the pool is gone with the line that was found dead.
  assert.deepEqual(await names(f.store), ['d-first', 'd-second'])
})

test('a connection lost during a write answers 503, stores nothing and frees other nodes', needsServer, async () => {
  await using f = await far()
  const near = await f.near()
  const cut = f.store.write(async ({ db }) => {
    await db.insertInto('organization_setting').values({ name: 'd-lost', value: '1' }).execute()
    f.network.vanish()
    await db.insertInto('organization_setting').values({ name: 'd-lost too', value: '1' }).execute()
  })
  await isRefused(cut)
  await put(near, 'd-near')
  await put(f.store, 'd-far')
  assert.deepEqual(await names(near), ['d-far', 'd-near'])
})

test('a read connection that breaks while opening fails its read but not the process', needsServer, async () => {
  await using f = await far()
  f.network.cutAt('pg_backend_pid')
  const reads = await Promise.allSettled(Array.from({ length: 8 }, () => names(f.store)))
  const refused = reads.filter((read) => read.status === 'rejected')
  assert.ok(refused.length > 0)
  for (const { reason } of refused) await isRefused(Promise.reject(reason))
  f.network.cutAt(undefined)
  assert.deepEqual(await names(f.store), [])
})

test('waits for slow writes, reads and snapshots however long they take', needsServer, async () => {
  await using f = await far()
  const sleep = sql<{ pg_sleep: unknown }>`select pg_sleep(${(2 * PATIENCE_MS) / 1000})`
  await Promise.all([
    f.store.write(async ({ db }) => void (await sleep.execute(db))),
    sleep.execute(f.store.db),
    f.store.snapshot((db) => sleep.execute(db)),
  ])
  await put(f.store, 'd-after')
  assert.deepEqual(await names(f.store), ['d-after'])
})

test('answers 503 while the network is down and recovers afterwards', needsServer, async () => {
  await using f = await far()
  await put(f.store, 'd-before')
  f.network.vanish({ all: true })
  await Promise.all([isRefused(put(f.store, 'd-during')), isRefused(names(f.store))])
  f.network.heal()
  await put(f.store, 'd-after')
  assert.deepEqual(await names(f.store), ['d-after', 'd-before'])
})

test('a node that lost its connection stops leading and then catches up with the others', needsServer, async () => {
  await using f = await far()
  assert.equal(f.store.peers!.leads(), true)
  const near = await f.near()
  const received: string[] = []
  f.store.peers!.onBroadcast((text) => void received.push(text))
  f.network.vanish()
  await eventually('the old line is given up', () => near.peers!.leads() || !f.store.peers!.leads())
  const gets = () => {
    near.peers!.broadcast('hello')
    return received.length > 0
  }
  await eventually('a broadcast arrives', gets)
  await eventually('one leads', () => near.peers!.leads() !== f.store.peers!.leads())
})
