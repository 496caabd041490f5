import assert from 'node:assert/strict'
import test from 'node:test'
import * as v from 'valibot'
import { publicAction } from '../../src/core/action.ts'
import { manualClock } from '../../src/core/clock.ts'
import { ChatError } from '../../src/core/errors.ts'
import { text } from '../../src/core/fields.ts'
import { addressKey, createRateLimiter } from '../../src/http/rate-limit.ts'
import { testServer } from '../../src/testing/server.ts'
import { echoing, form, onBothTargets, ownerOf, whoAmI } from './targets.ts'

const login = publicAction(
  { name: 'login', summary: 'Login', params: v.object({ username: text, password: text }), result: v.any() },
  async (_, { password }) => {
    if (password !== 'right') throw new ChatError('AUTHENTICATION_FAILED', 'Wrong')
    return {}
  },
)
const routes = { '/me': { GET: whoAmI }, '/echo': { GET: echoing({}) }, '/fetch_api_key': { POST: login } }

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

onBothTargets(
  'five wrong passwords in half an hour for an account',
  { routes, rateLimit: true },
  async ({ server, ask }) => {
    const attempt = async (username: string, password: string) =>
      (await ask('/fetch_api_key', { method: 'POST', body: form({ username, password }) })).status
    for (let i = 0; i < 4; i++) assert.equal(await attempt('a@b.c', 'wrong'), 401)
    assert.equal(await attempt('A@b.c ', 'wrong'), 401)
    assert.equal(await attempt('a@b.c', 'right'), 429)
    assert.equal(await attempt('other@b.c', 'right'), 200)
    server.clock.advance(6 * 60_000)
    assert.equal(await attempt('a@b.c', 'right'), 200)
    // Whoever knows the password begins afresh.
    for (let i = 0; i < 5; i++) assert.equal(await attempt('a@b.c', 'wrong'), 401)
    assert.equal(await attempt('a@b.c', 'wrong'), 429)
  },
)

onBothTargets('attempts at the same time are counted', { routes, rateLimit: true }, async ({ ask }) => {
  const attempts = Array.from({ length: 20 }, () =>
    ask('/fetch_api_key', { method: 'POST', body: form({ username: 'a@b.c', password: 'wrong' }) }),
  )
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 401).length, 5)
})

onBothTargets('long account names are no way around the limit', { routes, rateLimit: true }, async ({ ask }) => {
  const name = 'a'.repeat(300)
  const attempt = (i: number) =>
    ask('/fetch_api_key', { method: 'POST', body: form({ username: name + i, password: 'x' }) })
  for (let i = 0; i < 5; i++) assert.equal((await attempt(i)).status, 401)
  assert.equal((await attempt(5)).status, 429)
})

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
  const limiter = createRateLimiter(manualClock())
  const rule = { name: 'r', tokens: 2, period_ms: 1000 }
  for (let i = 0; i < 120_000; i++) limiter.take(rule, String(i))
  limiter.take(rule, '119999')
  assert.throws(() => limiter.take(rule, '119999'), { code: 'RATE_LIMIT_HIT' })
})

test('the real client behind a trusted proxy is the one that is limited', async () => {
  await using server = await testServer({ routes, rateLimit: true, trustProxy: 'loopback' })
  const ask = (ip: string) => fetch(`${server.url}/api/v1/echo`, { headers: { 'x-forwarded-for': ip } })
  for (let i = 0; i < 100; i++) assert.equal((await ask('192.0.2.1')).status, 200)
  assert.equal((await ask('192.0.2.1')).status, 429)
  assert.equal((await ask('192.0.2.2')).status, 200)
})
