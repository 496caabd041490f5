import assert from 'node:assert/strict'
import test from 'node:test'
import { sql } from 'kysely'
import { insertion, statement } from '../../src/storage/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { opened } from './opened.ts'

interface Values {
  a: unknown
  b: unknown
}
const echo = statement<Values, { x: unknown; y: unknown; z: unknown; fixed: unknown }>((db, p) =>
  db.selectNoFrom([sql`${p.b}`.as('x'), sql`${p.a}`.as('y'), sql`${p.b}`.as('z'), sql`${'constant'}`.as('fixed')]),
)

test(
  'binds parameters, also when used twice and beside constants',
  onlyOnSqlite('a server gives back text where no column says what a parameter is'),
  async () => {
    await using open = await opened(':memory:')
    const { db } = open.store
    for (const [a, b] of [
      [1, 'two'],
      ['one', 2],
      [null, 0],
      ['', null],
      [1.5, 2 ** 53 - 1],
      ['ä\0b', "'; --"],
    ]) {
      assert.deepEqual(await echo(db, { a, b }), [{ x: b, y: a, z: b, fixed: 'constant' }])
    }
  },
)

test('a missing parameter is an error, not null', async () => {
  await using open = await opened(':memory:')
  const { db } = open.store
  await assert.rejects(async () => echo(db, { a: undefined, b: 1 }), /the parameter "a" is missing/)
  await assert.rejects(async () => echo(db, { a: 1 } as Values), /the parameter "b" is missing/)
  await assert.rejects(async () => echo(db, {} as Values), TypeError)
})

test(
  "rejects values the database can't represent",
  onlyOnSqlite('the driver of a server writes them as text'),
  async () => {
    await using open = await opened(':memory:')
    const { db } = open.store
    for (const a of [true, new Date(), {}, Symbol('a'), () => 1]) {
      await assert.rejects(async () => echo(db, { a, b: 1 }), String(typeof a))
    }
  },
)

test("binds parameters when the statement runs and can't render them earlier", async () => {
  await using open = await opened(':memory:')
  const { db, dialect } = open.store
  const list = statement<{ ids: number[] }, { id: number }>((db, p) =>
    db.selectFrom('blob').select('id').where('id', 'in', dialect.idsIn(p.ids)),
  )
  // A list is bound as one value when the statement runs.
  assert.deepEqual(await list(db, { ids: [1] }), [])
  const joined = statement<{ name: string }, { x: unknown }>((db, p) => db.selectNoFrom(sql`${`${p.name}!`}`.as('x')))
  await assert.rejects(async () => joined(db, { name: 'a' }), /the parameter "name" has no value yet/)
})

test('one statement works with every handle and store', async () => {
  await using one = await opened(':memory:')
  await using two = await opened(':memory:')
  const add = statement<{ type: string }, { id: number }>((db, p) =>
    db.insertInto('blob').values({ size: 0, content_type: p.type, created_at: 0 }).returning('id'),
  )
  const count = statement<object, { n: number }>((db) =>
    db.selectFrom('blob').select((eb) => eb.fn.countAll<number>().as('n')),
  )
  await one.store.write(({ db }) => add(db, { type: 'a' }))
  const [b, c] = await Promise.all(['b', 'c'].map((type) => one.store.write(({ db }) => add(db, { type }))))
  assert.deepEqual([b, c], [[{ id: 2 }], [{ id: 3 }]])
  assert.deepEqual(await count(one.store.db, {}), [{ n: 3 }])
  assert.deepEqual(await count(two.store.db, {}), [{ n: 0 }])
  // The rules of the handle apply to it.
  await assert.rejects(async () => add(one.store.db, { type: 'd' }), /only store\.write/)
  await one.store.write(async () => assert.rejects(async () => count(one.store.db, {}), { kind: 'misuse' }))
})

test('an insertion returns the id of its row, and only that', async () => {
  await using open = await opened(':memory:')
  const add = insertion((db, p: { type: string }) =>
    db.insertInto('blob').values({ size: 0, content_type: p.type, created_at: 0 }).returning('id'),
  )
  const ids = await open.store.write(async ({ db }) => [await add(db, { type: 'a' }), await add(db, { type: 'b' })])
  assert.deepEqual(ids, [1, 2])
  const all = await open.store.db.selectFrom('blob').select(['id', 'content_type']).orderBy('id').execute()
  assert.deepEqual(all, [
    { id: 1, content_type: 'a' },
    { id: 2, content_type: 'b' },
  ])
  const more = insertion((db, p: { type: string }) =>
    db.insertInto('blob').values({ size: 0, content_type: p.type, created_at: 0 }).returning(['id', 'size']),
  )
  await assert.rejects(async () => open.store.write(({ db }) => more(db, { type: 'c' })), /other than its id/)
})

test('an insertion is undone with its write, beside others of the same commit', async () => {
  await using open = await opened(':memory:')
  const add = insertion((db, p: { type: string }) =>
    db.insertInto('blob').values({ size: 0, content_type: p.type, created_at: 0 }).returning('id'),
  )
  const undone = open.store.write(async ({ db }) => {
    await add(db, { type: 'undone' })
    throw new Error('failed afterwards')
  })
  const stays = open.store.write(({ db }) => add(db, { type: 'stays' }))
  await assert.rejects(undone, /failed afterwards/)
  await stays
  const all = await open.store.db.selectFrom('blob').select('content_type').execute()
  assert.deepEqual(all, [{ content_type: 'stays' }])
})
