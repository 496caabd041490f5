import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import test from 'node:test'
import { testServer } from '../../src/testing/server.ts'
import { echoing } from './targets.ts'

const routes = { '/echo': { GET: echoing({}) } }

/** @NOTE fetch writes its own Host header. */
async function originWith(port: number, headers: Record<string, string>): Promise<string> {
  const [res] = await once(request({ port, host: '127.0.0.1', path: '/api/v1/echo', headers }).end(), 'response')
  return ((await json(res)) as { origin: string }).origin
}

test('without a configured address we are what the client calls us', async () => {
  await using server = await testServer({ routes })
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }
  const table: [Record<string, string>, string][] = [
    [{ host: 'chat.example.com' }, 'http://chat.example.com'],
    [{ host: 'chat.example.com:8080' }, 'http://chat.example.com:8080'],
    [{ host: '[::1]:9991' }, 'http://[::1]:9991'],
    [{ host: 'a/b' }, 'http://localhost'],
    [{ host: 'user@example.com' }, 'http://localhost'],
    [{ host: 'chat.example.com', ...forwarded }, 'http://chat.example.com'],
  ]
  for (const [headers, origin] of table)
    assert.deepEqual([headers, await originWith(server.port, headers)], [headers, origin])
})

test('behind a proxy we trust, the address is the one it forwards', async () => {
  await using server = await testServer({ routes, trustProxy: 'loopback' })
  const headers = { host: 'inside:9991', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'chat.example.com' }
  assert.equal(await originWith(server.port, headers), 'https://chat.example.com')
})
