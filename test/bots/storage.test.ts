import assert from 'node:assert/strict'
import test from 'node:test'
import { type World, world } from '../../src/testing/index.ts'

const bots = async (): Promise<World> => world({ people: { robot: { bot: true }, other: { bot: true } } })

test('stores texts by key, reads all or some of them, and removes them', async () => {
  await using w = await bots()
  const { api } = w.person('robot')
  assert.deepEqual((await api.get('/bot_storage')).storage, {})
  assert.equal((await api.put('/bot_storage', { storage: { a: '1', b: 'two', '': '' } })).status, 200)
  await api.put('/bot_storage', { storage: { b: 'three', __proto__x: 'x' } })
  assert.deepEqual((await api.get('/bot_storage')).storage, { '': '', __proto__x: 'x', a: '1', b: 'three' })
  assert.deepEqual((await api.get('/bot_storage', { keys: ['b', 'a', 'a'] })).storage, { a: '1', b: 'three' })
  assert.equal((await api.delete('/bot_storage', { keys: ['a'] })).status, 200)
  assert.equal((await api.get('/bot_storage', { keys: ['a'] })).msg, 'Key does not exist.')
  assert.equal((await api.delete('/bot_storage')).status, 200)
  assert.deepEqual((await api.get('/bot_storage')).storage, {})
})

test('rejects an unknown key and removes nothing', async () => {
  await using w = await bots()
  const { api } = w.person('robot')
  await api.put('/bot_storage', { storage: { a: '1' } })
  for (const answer of [
    await api.get('/bot_storage', { keys: ['a', 'b'] }),
    await api.delete('/bot_storage', { keys: ['a', 'b'] }),
  ]) {
    assert.deepEqual([answer.status, answer.code, answer.msg], [400, 'BAD_REQUEST', 'Key does not exist.'])
  }
  assert.deepEqual((await api.get('/bot_storage')).storage, { a: '1' })
})

test('accepts any text as a key', async () => {
  await using w = await bots()
  const { api } = w.person('robot')
  const storage = JSON.parse('{"constructor": "1", "__proto__": "2", "toString": "3", "ä \\n 😀": "4"}')
  await api.put('/bot_storage', { storage })
  const answer = await api.get('/bot_storage', { keys: Object.keys(storage) })
  assert.deepEqual(Object.entries(answer.storage).sort(), Object.entries(storage).sort())
  assert.equal((await api.put('/bot_storage', { storage: { 'a\0': 'x' } })).status, 400)
})

test('stores texts only', async () => {
  await using w = await bots()
  const { api } = w.person('robot')
  for (const storage of [{ a: 1 }, { a: null }, { a: { b: 'c' } }, ['a'], 'a']) {
    assert.equal((await api.put('/bot_storage', { storage })).status, 400, JSON.stringify(storage))
  }
  assert.deepEqual((await api.get('/bot_storage')).storage, {})
})

test('holds 10,000,000 characters and reports both sizes when exceeded', async () => {
  await using w = await bots()
  const { updateStorage, getStorage } = await import('../../src/index.ts')
  const robot = w.person('robot')
  await updateStorage(robot, { storage: { a: 'x'.repeat(9_999_996) } })
  await updateStorage(robot, { storage: { bc: 'd' } })
  await assert.rejects(updateStorage(robot, { storage: { bc: 'de', a: 'x'.repeat(9_999_996) } }), {
    code: 'BAD_REQUEST',
    message: 'The stored data would have 10000001 characters. The limit is 10000000 characters.',
  })
  assert.deepEqual((await getStorage(robot, { keys: ['bc'] })).storage, { bc: 'd' })
  // Replaced values do not count.
  await updateStorage(robot, { storage: { a: 'y'.repeat(9_999_996) } })
  await updateStorage(w.person('other'), { storage: { a: 'its own quota' } })
})
