import assert from 'node:assert/strict'
import test from 'node:test'
import { everybody, scene } from './scene.ts'

test("users can't read, replace or remove each other's stored data", async () => {
  const { w } = await scene()
  await using _ = w.chat
  const present = everybody.filter((name) => name !== 'gone')
  for (const name of present) await w.person(name).api.put('/bot_storage', { storage: { own: name } })
  for (const name of present) {
    const { api } = w.person(name)
    assert.deepEqual((await api.get('/bot_storage')).storage, { own: name })
    await api.delete('/bot_storage')
    assert.deepEqual((await api.get('/bot_storage')).storage, {})
  }
  assert.equal((await w.person('gone').api.get('/bot_storage')).status, 401)
})
