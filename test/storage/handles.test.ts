import assert from 'node:assert/strict'
import test from 'node:test'
import { sql } from 'kysely'
import type { TxDb } from '../../src/storage/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { addRow, opened, rows } from './opened.ts'

// Kysely's own SQLite driver would deadlock where these throw.

const turn = () => new Promise(setImmediate)
/** Lets everything run that needs no timer. */
const settle = async () => {
  for (let i = 0; i < 20; i++) await turn()
}

test('the read handle throws immediately inside a write', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  const misuse = { kind: 'misuse', message: /the read handle was used inside a write/ }
  await store.write(async (tx) => {
    await assert.rejects(rows(store.db), misuse)
    await addRow(tx, 'a')
    await assert.rejects(rows(store.db), misuse)
  })
  // The write is not affected.
  assert.deepEqual(await rows(store.db), ['a'])
})

test('a write throws immediately inside a write', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  await store.write(async (tx) => {
    await addRow(tx, 'a')
    await assert.rejects(
      store.write((inner) => addRow(inner, 'b')),
      { kind: 'misuse', message: /a write was opened inside another write/ },
    )
  })
  assert.deepEqual(await rows(store.db), ['a'])
})

test("handles also throw in a commit's second write", async () => {
  await using open = await opened(':memory:')
  const { store } = open
  await Promise.all([
    store.write((tx) => addRow(tx, 'a')),
    store.write(async () => assert.rejects(rows(store.db), { kind: 'misuse' })),
    store.write(async (tx) => {
      await addRow(tx, 'b')
      await assert.rejects(
        store.write(async () => {}),
        { kind: 'misuse' },
      )
    }),
  ])
})

test(
  "a write that awaited something else can't deadlock forever",
  onlyOnSqlite('elsewhere such a call is refused at once'),
  async () => {
    await using open = await opened(':memory:', { patienceMs: 1000 })
    const { store } = open
    // The timers of waiting work are unreferenced.
    const alive = setInterval(() => {}, 1000)
    for (const inner of [() => rows(store.db), () => store.write((tx) => addRow(tx, 'inner'))]) {
      let ended: unknown
      const stuck = store.write(async (tx) => {
        await addRow(tx, 'a')
        await turn()
        await inner()
      })
      stuck.catch((error) => {
        ended = error
      })
      await settle()
      assert.equal(ended, undefined)
      await assert.rejects(stuck, {
        kind: 'misuse',
        message: /a write is waiting for something other than the database/,
      })
      // It has released everything.
      assert.deepEqual(await rows(store.db), [])
      assert.ok(await store.write((tx) => addRow(tx, 'next')))
      await store.write(({ db }) => db.deleteFrom('blob').execute())
    }
    clearInterval(alive)
  },
)

test(
  'queries waiting for a write that yielded run when it ends',
  onlyOnSqlite('elsewhere no query waits for a write'),
  async () => {
    await using open = await opened(':memory:')
    const { store } = open
    let go = () => {}
    const slow = store.write(async (tx) => {
      await addRow(tx, 'slow')
      await new Promise<void>((resolve) => {
        go = resolve
      })
      await addRow(tx, 'slow again')
    })
    await settle()
    const read = rows(store.db)
    const next = store.write((tx) => addRow(tx, 'next'))
    await settle()
    go()
    await slow
    assert.deepEqual((await read).slice(0, 2), ['slow', 'slow again'])
    await next
    assert.deepEqual(await rows(store.db), ['slow', 'slow again', 'next'])
  },
)

test('reads never see uncommitted data', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  let go: ((_: Error) => void) | undefined
  const undone = store.write(async (tx) => {
    await addRow(tx, 'undone')
    await new Promise((_, reject) => {
      go = reject
    })
  })
  while (!go) await turn()
  const read = rows(store.db)
  go(new Error('no'))
  await assert.rejects(undone, /no/)
  assert.deepEqual(await read, [])
})

test('reads between two commits of a burst see entire writes', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  const seen = new Set<number>()
  let over = false
  const reader = (async () => {
    while (!over) {
      seen.add((await rows(store.db)).length)
      await turn()
    }
  })()
  const pair = () =>
    store.write(async (tx) => {
      await addRow(tx, 'one')
      await addRow(tx, 'two')
    })
  await Promise.all(Array.from({ length: 1000 }, pair))
  over = true
  await reader
  assert.ok(seen.size > 1)
  assert.deepEqual(
    [...seen].filter((count) => count % 2 !== 0),
    [],
  )
})

test('a write handle used after its write throws, even during another write', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  const ended = { kind: 'misuse', message: /used after its write finished/ }
  let leaked: TxDb | undefined
  await store.write(async (tx) => {
    leaked = tx.db
  })
  await assert.rejects(addRow({ db: leaked! }, 'late'), ended)
  await store.write(async () => {
    await assert.rejects(addRow({ db: leaked! }, 'late'), ended)
  })
  await Promise.all([
    store.write(async (tx) => {
      leaked = tx.db
    }),
    store.write(async () => assert.rejects(addRow({ db: leaked! }, 'late'), ended)),
  ])
  assert.deepEqual(await rows(store.db), [])
})

test("the read handle can't write", async () => {
  await using open = await opened(':memory:')
  const { store } = open
  const refused = /only store\.write may change the database/
  await assert.rejects(addRow({ db: store.db as TxDb }, 'a'), refused)
  await assert.rejects(sql`drop table blob`.execute(store.db), refused)
  await assert.rejects(sql`begin immediate`.execute(store.db))
  await assert.rejects(
    store.db.transaction().execute(async () => {}),
    /use store\.write to open transactions/,
  )
  assert.deepEqual(await rows(store.db), [])
})

test("can't stream rows, because an open cursor would block all writes", async () => {
  await using open = await opened(':memory:')
  const stream = open.store.db.selectFrom('blob').selectAll().stream()
  await assert.rejects(stream.next(), /cannot be streamed/)
  await open.store.write((tx) => addRow(tx, 'a'))
})
