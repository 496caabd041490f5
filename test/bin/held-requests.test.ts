import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import test from 'node:test'
import { holdRequests } from '../../bin/held-requests.ts'

test('is alive but not ready until the database opens, and holds other requests', async () => {
  const { listener, open } = holdRequests()
  const server = createServer(listener).listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return [response.status, await response.json()]
  }
  const early = ask('/healthy')
  assert.deepEqual(await ask('/health'), [200, { result: 'success', msg: '' }])
  const [status, body] = await ask('/health/ready')
  assert.deepEqual(
    [status, body],
    [503, { result: 'error', msg: 'The server is starting', code: 'SERVICE_UNAVAILABLE', 'retry-after': 5 }],
  )
  open((req, res) => res.end(JSON.stringify(req.url)))
  assert.deepEqual(
    [await early, await ask('/health')],
    [
      [200, '/healthy'],
      [200, '/health'],
    ],
  )
  server.close()
})

test('answers liveness below the base path and at the root while starting', async () => {
  const { listener } = holdRequests('/chat')
  const server = createServer(listener).listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  for (const path of ['/health', '/chat/health', '/chat/health?probe=1']) {
    assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200, path)
  }
  assert.equal((await fetch(`http://127.0.0.1:${port}/chat/health/ready`)).status, 503)
  server.close()
})
