import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheOf, createCache } from '../../src/core/kernel/cache.ts'
import { contextOf, currentUser } from '../../src/core/kernel/context.ts'
import { settingsOf } from '../../src/core/settings/organization.ts'
import { updateOrganization } from '../../src/index.ts'
import { world } from '../../src/testing/world.ts'

type Load = Parameters<ReturnType<ReturnType<typeof createCache>['outside']>['get']>[1]

/** A cache without a database: a value is loaded from `stored`, and each load is recorded. */
function recording() {
  const cache = createCache((keys) => cache.drop(keys))
  const stored = new Map<string, number>()
  const loads: string[] = []
  const load = (key: string) => () => {
    loads.push(key)
    return Promise.resolve(stored.get(key))
  }
  const db = {} as Parameters<typeof cache.outside>[0]
  return { cache, stored, loads, load: load as (key: string) => Load, db, outside: cache.outside(db) }
}

test('loads a value once for all readers', async () => {
  const { outside, stored, loads, load } = recording()
  stored.set('a', 1)
  assert.deepEqual(await Promise.all([outside.get('a', load('a')), outside.get('a', load('a'))]), [1, 1])
  assert.equal(await outside.get('a', load('a')), 1)
  assert.deepEqual(loads, ['a'])
})

test('a write sees its own change, and others see it after commit', async () => {
  const { cache, stored, load, db, outside } = recording()
  stored.set('a', 1)
  await outside.get('a', load('a'))
  const effects: (() => void)[] = []
  const inside = cache.inside({ db, transaction: {}, afterCommit: (effect) => void effects.push(effect) })
  stored.set('a', 2)
  inside.invalidate('a')
  assert.equal(await inside.get('a', load('a')), 2)
  const committed = (() => Promise.resolve(1)) as Load
  assert.equal(await outside.get('a', committed), 1, 'others read what is committed')
  for (const effect of effects) effect()
  assert.equal(await outside.get('a', load('a')), 2, 'a value read between the change and its commit is dropped')
})

test('hides values a write loads before invalidating, and shares unchanged ones after commit', async () => {
  const { cache, stored, loads, load, db, outside } = recording()
  const effects: (() => void)[] = []
  const inside = cache.inside({ db, transaction: {}, afterCommit: (effect) => void effects.push(effect) })
  const committed = (() => Promise.resolve(1)) as Load
  stored.set('a', 2).set('b', 2)
  assert.equal(await inside.get('a', load('a')), 2)
  assert.equal(await inside.get('b', load('b')), 2)
  assert.equal(await outside.get('a', committed), 1, 'others read what is committed')
  inside.invalidate('a')
  for (const effect of effects) effect()
  loads.length = 0
  assert.equal(await outside.get('a', load('a')), 2)
  assert.equal(await outside.get('b', load('b')), 2)
  assert.deepEqual(loads, ['a'], 'what was changed is loaded again, the other is not')
})

test('a failed write leaves nothing cached that it loaded before or after invalidating', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  cacheOf(w.chat).dropAll()
  const failing = iago.write(async (tx) => {
    await tx.db.updateTable('user').set({ full_name: 'The Prince' }).where('id', '=', hamlet.user.id).execute()
    assert.equal((await currentUser(tx, hamlet.user.id)).full_name, 'The Prince')
    throw new Error('changed my mind')
  })
  await assert.rejects(failing, /changed my mind/)
  assert.notEqual((await currentUser(contextOf(w.chat), hamlet.user.id)).full_name, 'The Prince')
})

test('a failed write leaves a changed setting as before', async () => {
  await using w = await world()
  const { iago } = w.people
  const failing = iago.write(async (tx) => {
    await updateOrganization(tx, { topics_policy: 'disable_empty_topic' })
    assert.equal((await settingsOf(tx)).topics_policy, 'disable_empty_topic')
    throw new Error('changed my mind')
  })
  await assert.rejects(failing, /changed my mind/)
  assert.equal((await settingsOf(iago)).topics_policy, 'allow_empty_topic')
  await updateOrganization(iago, { topics_policy: 'disable_empty_topic' })
  assert.equal((await settingsOf(iago)).topics_policy, 'disable_empty_topic')
})

test('returns a value itself once it is in memory, null included', async () => {
  const { cache, db, outside, stored, load } = recording()
  stored.set('a', 1)
  assert.ok(outside.get('a', load('a')) instanceof Promise)
  await outside.get('a', load('a'))
  assert.equal(outside.get('a', load('a')), 1)
  const inside = cache.inside({ db, transaction: {}, afterCommit: () => {} })
  assert.equal(inside.get('a', load('a')), 1)
  const none = () => Promise.resolve(null)
  await outside.get('nothing', none)
  assert.equal(outside.get('nothing', none), null)
})

test('caches neither failures nor missing values', async () => {
  const { outside, stored, load } = recording()
  assert.equal(await outside.get('a', load('a')), undefined)
  await assert.rejects(async () => outside.get('b', () => Promise.reject(new Error('no disk'))), /no disk/)
  stored.set('a', 1).set('b', 2)
  assert.equal(await outside.get('a', load('a')), 1)
  assert.equal(await outside.get('b', load('b')), 2)
})

test("evicts values that aren't read when full", async () => {
  const { outside, stored, loads, load } = recording()
  const read = (key: string) => outside.get(key, load(key))
  for (let n = 0; n < 30_000; n++) {
    stored.set(`${n}`, n)
    await read(`${n}`)
    if (n % 5000 === 0) await read('0')
  }
  loads.length = 0
  await read('0')
  assert.deepEqual(loads, [], 'read now and then')
  for (let n = 1; n < 30_000; n++) await read(`${30_000 - n}`)
  assert.ok(loads.length >= 10_000 - 1, `${loads.length} of 30,000 were loaded again`)
})

test('a snapshot takes no value cached after a later change', async () => {
  const { cache, stored, load, db, outside } = recording()
  stored.set('a', 1).set('b', 1)
  await outside.get('a', load('a'))
  const at = cache.atMoment()
  const before = at(db)
  assert.equal(await before.get('a', load('a')), 1)
  cache.drop(['b'])
  stored.set('b', 2)
  await outside.get('b', load('b'))
  const loadOld = (() => Promise.resolve(1)) as Load
  assert.equal(await before.get('b', loadOld), 1, 'the snapshot has the database of before')
  assert.equal(await outside.get('b', load('b')), 2)
})
