import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { statement } from '../../src/storage/index.ts'
import { cluster, needsServer } from './nodes.ts'

const put = statement((db, p: { name: string; value: string }) =>
  db.insertInto('organization_setting').values({ name: p.name, value: p.value }),
)

test('a late failure undoes its own write and no other', needsServer, async () => {
  await using c = await cluster(1)
  const store = storeOf(c.w.chat)
  const write = (name: string, then = async () => {}) =>
    store.write(async ({ db }) => {
      await put(db, { name, value: '1' })
      await then()
      return name
    })
  const effects: string[] = []
  const results = await Promise.allSettled([
    write('one'),
    write('one'),
    write('two'),
    store.write(async ({ db, afterCommit }) => {
      afterCommit(() => void effects.push('three'))
      await put(db, { name: 'three', value: '1' })
      return (await db.selectFrom('organization_setting').select('name').where('name', '=', 'three').execute()).length
    }),
    store.write(async ({ db, afterCommit }) => {
      afterCommit(() => void effects.push('two again'))
      await put(db, { name: 'two', value: '2' })
      return (await db.selectFrom('organization_setting').select('name').execute()).length
    }),
    write('four'),
  ])
  const statuses = results.map((result) => result.status)
  // Of two simultaneous equal requests, either may succeed, but not both.
  const [one, oneAgain, two, three, twoAgain, four] = statuses
  assert.deepEqual([one, oneAgain, three, four], ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  assert.deepEqual([two, twoAgain].sort(), ['fulfilled', 'rejected'])
  assert.match(String((results[1] as PromiseRejectedResult).reason), /duplicate key/)
  assert.deepEqual(effects.sort(), two === 'fulfilled' ? ['three'] : ['three', 'two again'])
  const rows = await store.db
    .selectFrom('organization_setting')
    .select(['name', 'value'])
    .where('name', 'in', ['one', 'two', 'three', 'four'])
    .orderBy('name')
    .execute()
  assert.deepEqual(
    rows.map(({ name, value }) => `${name} ${value}`),
    ['four 1', 'one 1', 'three 1', two === 'fulfilled' ? 'two 1' : 'two 2'],
  )
})
