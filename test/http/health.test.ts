import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import { world } from '../../src/testing/world.ts'
import { basic, onBothTargets } from './targets.ts'

onBothTargets('health is for anybody, and never counted', { rateLimit: true }, async ({ ask }) => {
  for (const path of ['//health', '//health/ready']) {
    for (let i = 0; i < 150; i++) {
      const { status, body, headers } = await ask(path)
      assert.deepEqual([status, body, headers.get('x-ratelimit-limit')], [200, { result: 'success', msg: '' }, null])
    }
    assert.equal((await ask(path, { method: 'HEAD' })).status, 200)
    assert.equal((await ask(path, { method: 'POST' })).status, 405)
  }
  assert.equal((await ask('/health')).status, 404)
})

test('a server without its database is alive but not ready', async () => {
  const w = await world()
  const app = createApp({ chat: w.chat })
  const get = async (path: string) => {
    const response = await app.fetch(new Request(`http://localhost${path}`))
    const { code } = (await response.json()) as { code?: string }
    return [response.status, code, response.headers.get('retry-after')]
  }
  assert.deepEqual(await get('/health/ready'), [200, undefined, null])
  await w.chat.close()
  assert.deepEqual(await get('/health'), [200, undefined, null])
  assert.deepEqual(await get('/health/ready'), [503, 'SERVICE_UNAVAILABLE', '5'])
  // So is everything that reads the database.
  assert.deepEqual(await get('/user_avatars/1/emoji/images/1.png'), [503, 'SERVICE_UNAVAILABLE', '5'])
})

test('a stopping server is alive but not ready, and answers waiting polls', async () => {
  await using w = await world()
  const app = createApp({ chat: w.chat })
  const { email, key } = w.people.hamlet
  const get = async (path: string) => {
    const request = new Request(`http://localhost${path}`, { headers: { authorization: basic(email, key) } })
    const response = await app.fetch(request)
    return [response.status, ((await response.json()) as { msg: string }).msg, response.headers.get('connection')]
  }
  const { queue_id, last_event_id } = await w.people.hamlet.api.post('/register', {})
  app.release()
  assert.deepEqual(await get('/health'), [200, '', 'close'])
  assert.deepEqual(await get('/health/ready'), [503, 'The server is stopping', 'close'])
  assert.equal((await get(`/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`))[0], 200)
})
