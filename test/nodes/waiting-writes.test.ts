import assert from 'node:assert/strict'
import test from 'node:test'
import pg from 'pg'
import { openPostgres } from '../../src/storage/postgres/open-store.ts'
import type { Store } from '../../src/storage/store.ts'
import { borrowDatabase, needsServer } from './nodes.ts'
import { isRefused } from './refused.ts'

/** The server itself ends an idle transaction after 12 seconds. */
const PATIENCE_MS = 5000
/** The lock of all writes, as storage/postgres/begin.ts has it. */
const WRITE_LOCK = 0x63686174

const put = (store: Store, name: string) =>
  store.write(async ({ db }) => {
    await db.insertInto('organization_setting').values({ name, value: '1' }).execute()
  })

async function names(store: Store): Promise<string[]> {
  const rows = await store.db.selectFrom('organization_setting').select('name').where('name', 'like', 'w-%').execute()
  return rows.map(({ name }) => name).sort()
}

test("answers 503 and stores nothing after waiting too long for the node's own writes", needsServer, async () => {
  await using database = await borrowDatabase()
  const store = await openPostgres({ file: database.url, patienceMs: PATIENCE_MS })
  try {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    let begun = () => {}
    const began = new Promise<void>((resolve) => {
      begun = resolve
    })
    const first = store.write(async ({ db }) => {
      await db.insertInto('organization_setting').values({ name: 'w-first', value: '1' }).execute()
      begun()
      await ended
    })
    await began
    await isRefused(put(store, 'w-second'))
    end()
    await first
    await put(store, 'w-third')
    assert.deepEqual(await names(store), ['w-first', 'w-third'])
  } finally {
    await store.close()
  }
})

test('a node that stalls inside a write is ended by one that waits for it', needsServer, async () => {
  await using database = await borrowDatabase()
  const still = await openPostgres({ file: database.url })
  // The server measures this time, and fails the write if it waits longer for the lock.
  const other = await openPostgres({ file: database.url, patienceMs: PATIENCE_MS })
  try {
    let goOn = () => {}
    let begun = () => {}
    const began = new Promise<void>((resolve) => {
      begun = resolve
    })
    const stuck = still.write(async ({ db }) => {
      await db.insertInto('organization_setting').values({ name: 'w-stuck', value: '1' }).execute()
      begun()
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
    })
    await began
    await put(other, 'w-other')
    goOn()
    await isRefused(stuck)
    await put(still, 'w-again')
    assert.deepEqual(await names(other), ['w-again', 'w-other'])
  } finally {
    await still.close()
    await other.close()
  }
})

test('a node that stalls after a failed statement is ended by one that waits for it', needsServer, async () => {
  await using database = await borrowDatabase()
  const still = await openPostgres({ file: database.url })
  const other = await openPostgres({ file: database.url, patienceMs: PATIENCE_MS })
  let goOn = () => {}
  try {
    let begun = () => {}
    const began = new Promise<void>((resolve) => {
      begun = resolve
    })
    let runs = 0
    const stuck = still.write(async ({ db }) => {
      runs++
      const insert = () => db.insertInto('organization_setting').values({ name: 'w-stuck', value: '1' }).execute()
      await insert()
      try {
        await insert()
      } catch (error) {
        // Writes that share a transaction run again in savepoints if one of them fails.
        if (runs === 2) {
          begun()
          await new Promise<void>((resolve) => {
            goOn = resolve
          })
        }
        throw error
      }
    })
    const beside = put(still, 'w-beside')
    await began
    await put(other, 'w-other')
    goOn()
    await isRefused(stuck)
    await isRefused(beside)
    assert.deepEqual(await names(other), ['w-other'])
  } finally {
    goOn()
    await still.close()
    await other.close()
  }
})

test("answers 503 after waiting too long for another node's writes, then recovers", needsServer, async () => {
  await using database = await borrowDatabase()
  const store = await openPostgres({ file: database.url, patienceMs: PATIENCE_MS })
  const other = new pg.Client({ connectionString: database.url })
  try {
    await other.connect()
    await other.query(`begin; select pg_advisory_xact_lock(${WRITE_LOCK})`)
    // A holder that works isn't ended.
    const working = other.query(`select pg_sleep(${(1.2 * PATIENCE_MS) / 1000})`)
    await isRefused(put(store, 'w-first'))
    await working
    await other.query('commit')
    await put(store, 'w-second')
    assert.deepEqual(await names(store), ['w-second'])
  } finally {
    await other.end()
    await store.close()
  }
})
