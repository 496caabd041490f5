import assert from 'node:assert/strict'
import test from 'node:test'
import { testServer } from '../../src/testing/index.ts'

const origin = 'https://dashboard.example'

test('lets pages of other sites call the API with a key, also when it rejects', async () => {
  await using server = await testServer()
  const { authorization } = server.iago
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.url}${path}`, { ...init, headers: { origin, ...init.headers } })
    await response.body?.cancel()
    const { headers } = response
    return [
      response.status,
      headers.get('access-control-allow-origin'),
      headers.get('access-control-allow-credentials'),
      /x-ratelimit-remaining/i.test(headers.get('access-control-expose-headers') ?? ''),
    ]
  }
  const { queue_id } = await server.iago.api.post('/register', { event_types: ['message'] })
  const calls: readonly [path: string, status: number, init?: RequestInit][] = [
    ['/api/v1/users/me', 200, { headers: { authorization } }],
    [`/api/v1/events/stream?queue_id=${queue_id}&last_event_id=-1`, 200, { headers: { authorization } }],
    ['/api/v1/server_settings', 200],
    ['/api/v1/openapi.json', 200],
    ['/api/v1/users/me', 401],
    ['/api/v1/nothing', 404],
    ['/api/v1/%zz', 400],
    ['/api/v1/users/me', 405, { method: 'PUT' }],
  ]
  for (const [path, status, init] of calls) assert.deepEqual(await call(path, init), [status, '*', null, true], path)
})

test('answers preflight requests, and shares nothing else with other sites', async () => {
  await using server = await testServer()
  const preflight = await fetch(`${server.url}/api/v1/messages`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,idempotency-key',
    },
  })
  const { headers } = preflight
  assert.equal(preflight.status, 204)
  assert.equal(headers.get('access-control-allow-methods'), 'POST')
  assert.equal(headers.get('access-control-allow-headers'), 'authorization,idempotency-key')
  assert.equal(headers.get('access-control-allow-origin'), '*')
  const plain = await fetch(`${server.url}/api/v1/messages`, { method: 'OPTIONS', headers: { origin } })
  assert.equal(plain.headers.get('allow'), 'GET, POST, HEAD, OPTIONS')
  for (const path of ['/', '/json/users/me', '/json/%zz', '/health', '/avatar/1']) {
    const response = await fetch(`${server.url}${path}`, { headers: { origin } })
    assert.equal(response.headers.get('access-control-allow-origin'), null, path)
  }
  const without = await fetch(`${server.url}/api/v1/server_settings`)
  assert.equal(without.headers.get('access-control-allow-origin'), null)
})
