import assert from 'node:assert/strict'
import test from 'node:test'
import { manualClock } from '../../src/core/clock.ts'
import { addressKey } from '../../src/http/guards/address-key.ts'
import { memoryCounters } from '../../src/http/guards/counters.ts'
import { echoing, onBothTargets, ownerOf, whoAmI } from './targets.ts'

const routes = { '/me': { GET: whoAmI }, '/echo': { GET: echoing({}) } }

onBothTargets('200 requests a minute for a user', { routes, rateLimit: true }, async ({ server, ask }) => {
  const { authorization } = await ownerOf(server)
  const headers = { authorization }
  for (let i = 1; i <= 200; i++) {
    const reply = await ask('/me', { headers })
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('x-ratelimit-limit'), '200')
    assert.equal(reply.headers.get('x-ratelimit-remaining'), String(200 - i))
  }
  const hit = await ask('/me', { headers })
  assert.equal(hit.status, 429)
  assert.deepEqual(hit.body, {
    result: 'error',
    msg: 'API usage exceeded rate limit',
    code: 'RATE_LIMIT_HIT',
    'retry-after': 0.3,
    limit: { name: 'user', requests: 200, seconds: 60 },
  })
  assert.equal(hit.headers.get('retry-after'), '1')
  // Others are not touched, and time heals.
  assert.equal((await ask('/echo')).status, 200)
  server.clock.advance(300)
  assert.equal((await ask('/me', { headers })).status, 200)
  assert.equal((await ask('/me', { headers })).status, 429)
  server.clock.advance(60_000)
  assert.equal((await ask('/me', { headers })).headers.get('x-ratelimit-remaining'), '199')
})

onBothTargets(
  '100 requests a minute for an address without an account',
  { routes, rateLimit: true },
  async ({ server, ask }) => {
    const { authorization } = await ownerOf(server)
    for (let i = 0; i < 50; i++) assert.equal((await ask('/echo')).status, 200)
    // A failed sign-in is one of them.
    for (let i = 0; i < 50; i++) assert.equal((await ask('/me')).status, 401)
    assert.equal((await ask('/me')).status, 429)
    assert.equal((await ask('/echo')).status, 429)
    assert.equal((await ask('/me', { headers: { authorization } })).status, 200)
  },
)

onBothTargets('switched off there is no limit and no header', { routes, rateLimit: false }, async ({ ask }) => {
  for (let i = 0; i < 250; i++) assert.equal((await ask('/echo')).status, 200)
  assert.equal((await ask('/echo')).headers.get('x-ratelimit-limit'), null)
})

test('addresses are told apart by household', () => {
  const table: [string | undefined, string][] = [
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [undefined, 'in process'],
  ]
  for (const [ip, key] of table) assert.deepEqual([ip, addressKey(ip)], [ip, key])
})

test('a flood of addresses does not fill the memory', () => {
  const counters = memoryCounters(manualClock())
  const rate = { requests: 2, seconds: 1 }
  for (let i = 0; i < 120_000; i++) counters.take(String(i), rate)
  assert.deepEqual(counters.take('119999', rate), { taken: true, left: 0 })
  assert.deepEqual(counters.take('119999', rate), { taken: false, left: 0 })
})
