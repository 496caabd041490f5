import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { type Db, insertBlob, statement } from '../../src/storage/index.ts'
import { Folder } from './folder.ts'
import { addRow, opened, rows } from './opened.ts'

const counted = statement<object, { n: number }>((db) =>
  db.selectFrom('blob').select((eb) => eb.fn.countAll<number>().as('n')),
)
const count = async (db: Db): Promise<number> => (await counted(db, {}))[0]!.n
/** A query that takes about this many milliseconds on an idle machine. */
const slow = (db: Db, ms: number) =>
  sql<{
    n: number
  }>`with recursive t(n) as (select 1 union all select n + 1 from t where n < ${ms * 5000}) select count(*) as n from t`.execute(
    db,
  )

for (const place of ['a file', 'memory']) {
  const inMemory = place === 'memory'

  test(`a snapshot is consistent despite concurrent writes (${place})`, async () => {
    using folder = new Folder()
    await using open = await opened(inMemory ? ':memory:' : folder.file)
    const { store } = open
    await store.write((tx) => addRow(tx, 'before'))
    const seen = await store.snapshot(async (db) => {
      const first = await rows(db)
      // In memory there is only one connection, so nothing can be written at the same time.
      if (!inMemory) await Promise.all(['one', 'two'].map((text) => store.write((tx) => addRow(tx, text))))
      return [first, await rows(db), await count(db)]
    })
    assert.deepEqual(seen, [['before'], ['before'], 1])
    if (!inMemory) assert.deepEqual(await rows(store.db), ['before', 'one', 'two'])
  })

  test(`a snapshot sees every earlier write and is read-only (${place})`, async () => {
    using folder = new Folder()
    await using open = await opened(inMemory ? ':memory:' : folder.file)
    const { store } = open
    for (let i = 1; i <= 20; i++) {
      await store.write((tx) => addRow(tx, String(i)))
      assert.equal(await store.snapshot(count), i)
    }
    const refused = /a snapshot is read-only|only store\.write may change/
    await assert.rejects(
      store.snapshot((db) => addRow({ db: db as never }, 'no')),
      refused,
    )
    await assert.rejects(
      store.snapshot((db) => sql`delete from blob`.execute(db)),
      refused,
    )
    assert.equal(await count(store.db), 20)
  })

  test(`an error passes through and doesn't affect the next snapshot (${place})`, async () => {
    using folder = new Folder()
    await using open = await opened(inMemory ? ':memory:' : folder.file)
    const { store } = open
    await assert.rejects(
      store.snapshot(async () => {
        throw new RangeError('mine')
      }),
      /^RangeError: mine$/,
    )
    await assert.rejects(
      store.snapshot((db) => sql`select 1 from nowhere`.execute(db)),
      /no such table: nowhere|relation "nowhere" does not exist/,
    )
    let leaked: Db | undefined
    await store.snapshot(async (db) => {
      leaked = db
    })
    await assert.rejects(count(leaked!), { kind: 'misuse' })
    assert.equal(await store.snapshot(count), 0)
  })
}

test("an in-memory snapshot never sees part of a burst's writes", async () => {
  await using open = await opened(':memory:', { groupMs: 1000 })
  const { store } = open
  const pair = () =>
    store.write(async (tx) => {
      await addRow(tx, 'one')
      await addRow(tx, 'two')
    })
  const burst = Array.from({ length: 60 }, (_, i) => (i % 3 === 1 ? store.snapshot(count) : pair()))
  const counts = (await Promise.all(burst)).filter((n) => typeof n === 'number')
  assert.equal(counts.length, 20)
  for (const n of counts) assert.equal(n % 2, 0)
})

test('a snapshot returns values of every type like the database', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const { store } = open
  const bytes = new Uint8Array([0, 255, 7])
  await store.write(({ db }) => insertBlob(db, bytes, 'image/png', 2 ** 40))
  const query = (db: Db) =>
    db
      .selectFrom('blob')
      .innerJoin('blob_chunk', 'blob_id', 'blob.id')
      .select(['blob.id', 'created_at', 'content_type', 'data'])
      .select([sql`1.5`.as('real'), sql`null`.as('none'), sql`${"'; --"}`.as('bound')])
      .execute()
  const [inline] = await query(store.db)
  const [remote] = await store.snapshot(query)
  assert.deepEqual({ ...remote, data: [...remote!.data] }, { ...inline, data: [...inline!.data] })
  assert.ok(remote!.data instanceof Uint8Array)
})

test('returns a result of many pages complete and in order', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const { store } = open
  for (const n of [0, 1, 999, 1000, 1001, 5000]) {
    const found = await store.snapshot((db) =>
      sql<{
        value: number
      }>`select value from json_each(${JSON.stringify(Array.from({ length: n }, (_, i) => i))})`.execute(db),
    )
    assert.deepEqual(
      found.rows.map((row) => row.value),
      Array.from({ length: n }, (_, i) => i),
    )
  }
})

test('writes continue beside a slow file snapshot, and more snapshots than connections finish', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const { store } = open
  await store.snapshot(count)
  let over = false
  const scan = store
    .snapshot(async (db) => {
      // A disk may be slow, too.
      for (let i = 0; i < 50 && written <= 3; i++) await slow(db, 200)
    })
    .then(() => (over = true))
  let written = 0
  while (!over) {
    await store.write((tx) => addRow(tx, String(written)))
    written++
  }
  await scan
  assert.ok(written > 3, `${written} writes beside it`)
  const many = await Promise.all(Array.from({ length: 30 }, () => store.snapshot(count)))
  assert.deepEqual(new Set(many), new Set([written]))
})

test('reads few rows immediately, even from a file', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const { store } = open
  await store.write((tx) => addRow(tx, 'a'))
  const before = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
  assert.equal(await store.snapshot(count, { rows: 10 }), 1)
  assert.ok(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length <= before)
})

test('a thread that dies fails its snapshots, and a new thread takes over', async (t) => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const { store } = open
  const { postMessage } = Worker.prototype
  let thread: Worker | undefined
  t.mock.method(Worker.prototype, 'postMessage', function (this: Worker, message: unknown) {
    thread = this
    postMessage.call(this, message)
  })
  await store.snapshot(count)
  const dying = assert.rejects(
    store.snapshot((db) => slow(db, 100_000)),
    /the thread that reads snapshots stopped/,
  )
  const first = thread
  await first!.terminate()
  await dying
  await store.write((tx) => addRow(tx, 'a'))
  assert.equal(await store.snapshot(count), 1)
  assert.notEqual(thread, first)
})

test('closing ends snapshots in progress', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const { store } = open
  await store.snapshot(count)
  let began = () => {}
  const inside = new Promise<void>((resolve) => {
    began = resolve
  })
  const going = store.snapshot(async (db) => {
    began()
    for (;;) await count(db)
  })
  const refused = assert.rejects(going, { kind: 'closed' })
  await inside
  await store.close()
  await refused
  await assert.rejects(store.snapshot(count), { kind: 'closed' })
})

test('rejects snapshot reads after the store closed', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const { store } = open
  const { promise: closed, resolve: closing } = Promise.withResolvers<void>()
  const reading = store.snapshot(async (db) => {
    await count(db)
    closing()
    await store.close()
    await count(db)
  })
  const rejected = assert.rejects(reading, { kind: 'closed' })
  await closed
  await rejected
})

test('only a snapshot in progress keeps the process alive', () => {
  using folder = new Folder()
  const script = fileURLToPath(new URL('child.ts', import.meta.url))
  const { stdout, status } = spawnSync(process.execPath, [script, 'snapshot', folder.file], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  assert.deepEqual([stdout, status], ['1\n', 0])
})
