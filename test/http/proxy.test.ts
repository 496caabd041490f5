import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import test from 'node:test'
import { type Client, clientReader, type TrustProxy, trustOf } from '../../src/http/proxy.ts'
import { emptyServer } from '../../src/testing/server.ts'
import { echoing } from './targets.ts'

const routes = { '/echo': { GET: echoing({}) } }

/** @NOTE fetch writes its own Host header. */
async function originWith(port: number, headers: Record<string, string>): Promise<string> {
  const [res] = await once(request({ port, host: '127.0.0.1', path: '/api/v1/echo', headers }).end(), 'response')
  return ((await json(res)) as { origin: string }).origin
}

test('without a configured URL, uses the host name from the request', async () => {
  await using server = await emptyServer({ routes })
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

/** Reads a request of this peer with these headers. */
function clientOf(
  trustProxy: TrustProxy,
  peer: string | undefined,
  headers: Record<string, string>,
): Client & { reported: string[] } {
  const reported: string[] = []
  const read = clientReader({ trustProxy, publicUrl: undefined, onUntrusted: (address) => void reported.push(address) })
  const event = { runtime: { node: { req: { headers, socket: { remoteAddress: peer } } } } }
  return { ...read(event as never), reported }
}

const forwarded = (path: string, proto = 'https', host = 'chat.example.com') => ({
  host: 'inside:9991',
  'x-forwarded-for': path,
  'x-forwarded-proto': proto,
  'x-forwarded-host': host,
})

test('uses forwarded headers only from trusted addresses or ranges', () => {
  const table: [trust: TrustProxy, peer: string, trusted: boolean][] = [
    [false, '127.0.0.1', false],
    [true, '203.0.113.1', true],
    ['loopback', '127.0.0.1', true],
    ['loopback', '127.8.9.1', true],
    ['loopback', '::1', true],
    ['loopback', '::ffff:127.0.0.1', true],
    ['loopback', '10.0.0.1', false],
    [['loopback'], '::1', true],
    [['10.0.0.5'], '10.0.0.5', true],
    [['10.0.0.5'], '::ffff:10.0.0.5', true],
    [['10.0.0.5'], '10.0.0.6', false],
    [['192.0.2.1', '10.0.0.0/8'], '10.255.1.2', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['fd00::/8'], 'fd12::7', true],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['fd00::/8'], 'fe00::7', false],
    [['0.0.0.0/0', '::/0'], '203.0.113.7', true],
    [[], '127.0.0.1', false],
  ]
  for (const [trust, peer, trusted] of table) {
    const { address, origin, reported } = clientOf(trust, peer, forwarded('198.51.100.7'))
    const expected = trusted ? ['198.51.100.7', 'https://chat.example.com', []] : [peer, 'http://inside:9991', [peer]]
    assert.deepEqual([trust, peer, address, origin, reported], [trust, peer, ...expected])
  }
})

test('behind several proxies, the client is the last address no trusted proxy added', () => {
  const trust = ['10.0.0.0/8']
  const table: [path: string, proto: string, host: string, address: string, origin: string][] = [
    ['198.51.100.7, 10.0.0.2', 'https, http', 'outside, middle', '198.51.100.7', 'https://outside'],
    ['1.2.3.4, 198.51.100.7', 'http, https', 'evil, outside', '198.51.100.7', 'https://outside'],
    [
      '10.9.9.9, 198.51.100.7, 10.0.0.2',
      'http, https, http',
      'evil, outside, middle',
      '198.51.100.7',
      'https://outside',
    ],
    ['10.0.0.3, 10.0.0.2', 'https', 'outside', '10.0.0.3', 'https://outside'],
    ['nonsense', 'ftp', 'a/b', 'nonsense', 'http://localhost'],
    ['', '', '', '10.0.0.1', 'http://inside:9991'],
  ]
  for (const [path, proto, host, address, origin] of table) {
    const client = clientOf(trust, '10.0.0.1', forwarded(path, proto, host))
    assert.deepEqual([path, client.address, client.origin], [path, address, origin])
  }
})

test('rejects invalid addresses and ranges at startup', async () => {
  for (const entry of ['example.com', '10.0.0.0/33', '10.0.0/8', '::/129', '', '10.0.0.1-5', 'loopback/8']) {
    assert.throws(() => trustOf([entry]), /which is not an address or a range such as 10\.0\.0\.0\/8/, entry)
  }
  await assert.rejects(emptyServer({ trustProxy: ['example.com'] }), /cannot trust "example\.com"/)
})

test('logs an untrusted sender of forwarded headers once', async () => {
  await using server = await emptyServer({ routes })
  const ask = (headers = {}) => fetch(`${server.url}/api/v1/echo`, { headers })
  await ask()
  assert.deepEqual(server.log, [])
  for (let i = 0; i < 3; i++) await ask({ 'x-forwarded-for': '192.0.2.1' })
  assert.deepEqual(
    server.log.map(({ message }) => message),
    ['127.0.0.1 sends X-Forwarded-* headers, which are ignored. If it is your proxy, add --trust-proxy 127.0.0.1'],
  )
})

test('rate-limits the real client behind a trusted proxy', async () => {
  await using server = await emptyServer({ routes, rateLimit: true, trustProxy: ['127.0.0.0/8'] })
  const ask = (ip: string) => fetch(`${server.url}/api/v1/echo`, { headers: { 'x-forwarded-for': ip } })
  for (let i = 0; i < 100; i++) assert.equal((await ask('192.0.2.1')).status, 200)
  assert.equal((await ask('192.0.2.1')).status, 429)
  assert.equal((await ask('192.0.2.2')).status, 200)
  assert.deepEqual(server.log, [])
})
