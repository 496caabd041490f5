import assert from 'node:assert/strict'
import test from 'node:test'
import pg from 'pg'
import { systemCaller } from '../../src/core/accounts/create-organization.ts'
import { defineCache } from '../../src/core/kernel/cache.ts'
import { openPostgres } from '../../src/storage/postgres/open-store.ts'
import { statement } from '../../src/storage/statement.ts'
import type { Store } from '../../src/storage/store.ts'
import { borrowDatabase, cluster, needsServer } from './nodes.ts'

const put = statement((db, p: { name: string; value: string }) =>
  db.insertInto('organization_setting').values({ name: p.name, value: p.value }),
)

const original = pg.Client.prototype.query

/** More than one transaction takes. */
const MANY = 600

const write = (store: Store, name: string) =>
  store.write(async ({ db }) => {
    await put(db, { name, value: '1' })
    return name
  })

async function names(store: Store): Promise<string[]> {
  const rows = await store.db.selectFrom('organization_setting').select('name').where('name', 'like', 'o-%').execute()
  return rows.map(({ name }) => name).sort()
}

const numbered = (count = MANY) => Array.from({ length: count }, (_, i) => `o-${String(i).padStart(3, '0')}`)

/** A transaction ends after some milliseconds; here time stands still, so it ends when it is full. */
async function openStore(t: test.TestContext, url: string): Promise<Store> {
  const store = await openPostgres({ file: url })
  t.mock.method(performance, 'now', () => 0)
  await write(store, 'o-first')
  return store
}

const textOf = (config: unknown): string => (typeof config === 'string' ? config : (config as pg.QueryConfig).text)

test('begins the next transaction while the database commits', needsServer, async (t) => {
  await using database = await borrowDatabase()
  const store = await openStore(t, database.url)
  try {
    const query = t.mock.method(pg.Client.prototype, 'query')
    const answered: string[] = []
    await Promise.all(numbered().map((name) => write(store, name).then((each) => answered.push(each))))
    const texts = query.mock.calls.map(({ arguments: [config] }) => textOf(config))
    query.mock.restore()
    const commits = texts.flatMap((text, at) => (text === 'commit' ? [at] : []))
    assert.ok(commits.length > 2, `${commits.length} commits`)
    // If news of other nodes waits in between, a transaction ends alone.
    assert.ok(commits.some((at) => /^begin .*pg_advisory_unlock/.test(texts[at + 1] ?? '')))
    assert.deepEqual(answered, numbered())
    assert.deepEqual(await names(store), [...numbered(), 'o-first'])
  } finally {
    await store.close()
  }
})

test('undoes the next transaction with the one before, and repeats both', needsServer, async (t) => {
  await using database = await borrowDatabase()
  const store = await openStore(t, database.url)
  try {
    const effects: string[] = []
    const results = await Promise.allSettled(
      numbered().map((name, i) =>
        store.write(async ({ db, afterCommit }) => {
          afterCommit(() => void effects.push(name))
          // Nobody awaits the statement that fails, so it shows when its transaction commits.
          await put(db, { name: i === 10 ? 'o-first' : name, value: '1' })
        }),
      ),
    )
    const stored = numbered().filter((_, i) => i !== 10)
    assert.deepEqual(
      results.flatMap(({ status }, i) => (status === 'rejected' ? [i] : [])),
      [10],
    )
    assert.deepEqual(effects, stored)
    assert.deepEqual(await names(store), [...stored, 'o-first'])
  } finally {
    await store.close()
  }
})

test('answers no write of a transaction that follows a lost commit', needsServer, async (t) => {
  await using database = await borrowDatabase()
  const store = await openStore(t, database.url)
  const other = await openPostgres({ file: database.url })
  try {
    const query = t.mock.method(pg.Client.prototype, 'query')
    let cut = false
    query.mock.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      // The connection is lost when the commit and the statements behind it are on their way.
      if (!cut && textOf(args[0]) === 'commit') {
        cut = true
        setImmediate(() =>
          (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy(),
        )
      }
      return (original as (...all: unknown[]) => unknown).apply(this, args)
    } as never)
    const results = await Promise.allSettled(numbered().map((name) => write(store, name)))
    query.mock.restore()
    const acknowledged = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const stored = await names(other)
    assert.ok(acknowledged.length < MANY)
    for (const name of acknowledged) assert.ok(stored.includes(name), name)
    assert.equal(new Set(stored).size, stored.length)
    await write(store, 'o-last')
    assert.ok((await names(other)).includes('o-last'))
  } finally {
    await store.close()
    await other.close()
  }
})

const counter = defineCache('overlapping commits', async (db) => {
  const row = await db
    .selectFrom('organization_setting')
    .select('value')
    .where('name', '=', 'o-counter')
    .executeTakeFirst()
  return Number(row?.value ?? 0)
})

test('a write reads cached values as the uncommitted transaction before it left them', needsServer, async (t) => {
  await using c = await cluster(2)
  const caller = await systemCaller(c.w.chat)
  await caller.write(({ db }) => put(db, { name: 'o-counter', value: '0' }))
  assert.equal(await counter.get(caller), 0)
  t.mock.method(performance, 'now', () => 0)
  const count = () =>
    caller.write(async (tx) => {
      const value = (await counter.get(tx)) + 1
      await tx.db
        .updateTable('organization_setting')
        .set({ value: String(value) })
        .where('name', '=', 'o-counter')
        .execute()
      counter.invalidate(tx)
      return value
    })
  const values = await Promise.all(Array.from({ length: MANY }, count))
  assert.deepEqual(
    values,
    values.map((_, i) => i + 1),
  )
  assert.equal(await counter.get(caller), MANY)
  const elsewhere = await systemCaller(c.nodes[1]!)
  assert.equal(await elsewhere.write((tx) => counter.get(tx)), MANY)
})

test('no other node changes what a write has in memory between two transactions', needsServer, async () => {
  await using c = await cluster(2)
  const [here, there] = [await systemCaller(c.w.chat), await systemCaller(c.nodes[1]!)]
  await here.write(({ db }) => put(db, { name: 'o-counter', value: '0' }))
  const setTo = (value: number) =>
    there.write(async (tx) => {
      await tx.db
        .updateTable('organization_setting')
        .set({ value: String(value) })
        .where('name', '=', 'o-counter')
        .execute()
      counter.invalidate(tx)
    })
  let reading = true
  const changes = (async () => {
    for (let value = 1; reading; value++) await setTo(value)
  })()
  const compare = () =>
    here.write(async (tx) => {
      const remembered = await counter.get(tx)
      const row = await tx.db
        .selectFrom('organization_setting')
        .select('value')
        .where('name', '=', 'o-counter')
        .executeTakeFirstOrThrow()
      return remembered - Number(row.value)
    })
  const differences = await Promise.all(Array.from({ length: MANY }, compare))
  reading = false
  await changes
  assert.deepEqual(new Set(differences), new Set([0]))
})
