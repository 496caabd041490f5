import assert from 'node:assert/strict'
import test from 'node:test'
import { manualClock } from '../../src/core/kernel/base/clock.ts'
import { DEFAULT_PICTURES_PATH } from '../../src/core/organization/pictures.ts'
import { type Counters, type Level, memoryCounters } from '../../src/http/guards/counters.ts'
import { addressKey } from '../../src/http/guards/guards.ts'
import { defaultRates, parseRates, rateTexts } from '../../src/http/guards/rates.ts'
import { createApp } from '../../src/http/index.ts'
import { world } from '../../src/testing/world.ts'
import { seeded } from '../random.ts'
import { basic, echoing, onBothTargets, ownerOf, whoAmI } from './targets.ts'

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
    limit: { name: 'user', per: 'account', requests: 200, seconds: 60 },
  })
  assert.equal(hit.headers.get('retry-after'), '1')
  assert.equal(hit.headers.get('ratelimit-policy'), '"user";q=200;w=60')
  // Others are not affected, and the limit is restored with time.
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

test('counts addresses by network', () => {
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

test("a flood of addresses doesn't exhaust memory", () => {
  const counters = memoryCounters(manualClock())
  const rate = { requests: 2, seconds: 1 }
  for (let i = 0; i < 120_000; i++) void counters.take(String(i), rate)
  assert.deepEqual(counters.take('119999', rate), { taken: true, left: 0 })
  assert.deepEqual(counters.take('119999', rate), { taken: false, left: 0 })
})

const rates = {
  user: { requests: 3, seconds: 10 },
  bot: { requests: 5, seconds: 10 },
  roles: { owner: { requests: 4, seconds: 10 } },
  accounts: { 'CI-bot@example.com': { requests: 7, seconds: 10 } },
}

test('limits differ by role, for bots and for single accounts', async () => {
  await using w = await world({ people: { bot: { bot: true }, 'ci-bot': { bot: true } } })
  const app = createApp({ chat: w.chat, rateLimits: rates })
  const table: [name: string, requests: number][] = [
    ['hamlet', 3],
    ['iago', 4],
    ['bot', 5],
    ['ci-bot', 7],
  ]
  for (const [name, requests] of table) {
    const { email, key } = w.person(name as 'hamlet')
    const ask = () =>
      app.fetch(new Request('http://localhost/api/v1/users/me', { headers: { authorization: basic(email, key) } }))
    for (let i = 0; i < requests; i++) assert.deepEqual([name, i, (await ask()).status], [name, i, 200])
    const hit = await ask()
    const { limit } = (await hit.json()) as { limit: object }
    assert.deepEqual([name, hit.status, limit], [name, 429, { name: 'user', per: 'account', requests, seconds: 10 }])
    assert.equal(hit.headers.get('x-ratelimit-limit'), String(requests))
  }
})

test('parses rates as operators write them', () => {
  assert.deepEqual(parseRates(['bot=1000/60', 'guest=10/1', 'ci@example.com=5/1', 'address=7/8', 'owner=9/9']), {
    bot: { requests: 1000, seconds: 60 },
    roles: { guest: { requests: 10, seconds: 1 }, owner: { requests: 9, seconds: 9 } },
    accounts: { 'ci@example.com': { requests: 5, seconds: 1 } },
    address: { requests: 7, seconds: 8 },
  })
  for (const wrong of ['bot', 'bot=1', 'bot=1/0', 'bot=0/1', 'bot=-1/5', 'bots=1/1', '=1/1', 'toString=1/1']) {
    assert.throws(() => parseRates([wrong]), Error, wrong)
  }
})

test('prints rates as operators write them', () => {
  const texts = rateTexts({ ...defaultRates, ...rates })
  assert.deepEqual(texts.slice(0, 3), ['user=3/10', 'bot=5/10', 'address=100/60'])
  assert.deepEqual({ ...defaultRates, ...parseRates(texts) }, { ...defaultRates, ...rates })
})

test('counts public files apart from other requests', async () => {
  await using w = await world()
  const app = createApp({ chat: w.chat, rateLimits: { files: { requests: 2, seconds: 60 } } })
  const ask = async (path: string) => (await app.fetch(new Request(`http://localhost${path}`))).status
  const icon = `${DEFAULT_PICTURES_PATH}/icon.png`
  assert.deepEqual([await ask(icon), await ask(icon), await ask(icon)], [200, 200, 429])
  assert.equal(await ask('/api/v1/server_settings'), 200)
})

test("counts file downloads apart from a user's other requests", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { url } = await hamlet.api.upload('/user_uploads', Uint8Array.from(Buffer.from('x')), 'x.txt')
  const app = createApp({
    chat: w.chat,
    rateLimits: { user: { requests: 1, seconds: 60 }, files: { requests: 3, seconds: 60 } },
  })
  const authorization = `Basic ${Buffer.from(`${hamlet.email}:${hamlet.key}`).toString('base64')}`
  const ask = async (path: string) =>
    (await app.fetch(new Request(`http://localhost${path}`, { headers: { authorization } }))).status
  assert.deepEqual([await ask('/api/v1/users/me'), await ask('/api/v1/users/me')], [200, 429])
  assert.deepEqual([await ask(url), await ask(url), await ask(url), await ask(url)], [200, 200, 200, 429])
})

test('counts event polls apart from other requests', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { queue_id } = await hamlet.api.post('/register')
  const app = createApp({
    chat: w.chat,
    rateLimits: { user: { requests: 1, seconds: 60 }, polls: { requests: 3, seconds: 60 } },
  })
  const headers = { authorization: basic(hamlet.email, hamlet.key) }
  const ask = async (path: string) =>
    (await app.fetch(new Request(`http://localhost/api/v1${path}`, { headers }))).status
  const poll = () => ask(`/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`)
  assert.deepEqual([await poll(), await poll(), await poll(), await poll()], [200, 200, 200, 429])
  assert.deepEqual([await ask('/users/me'), await ask('/users/me')], [200, 429])
})

test('several servers can share asynchronous counters', async () => {
  await using w = await world()
  const inMemory = memoryCounters(w.chat.clock)
  const counters: Counters = {
    take: async (key, rate) => inMemory.take(key, rate),
    giveBack: async (key, rate) => inMemory.giveBack(key, rate),
    reset: async (key) => inMemory.reset(key),
  }
  const apps = [1, 2].map(() =>
    createApp({ chat: w.chat, counters, rateLimits: { address: { requests: 4, seconds: 60 } } }),
  )
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    const request = new Request('http://localhost/api/v1/server_settings')
    statuses.push((await apps[i % 2]!.fetch(request)).status)
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429])
})

test('matches the model over random times', () => {
  const clock = manualClock()
  const counters = memoryCounters(clock)
  const random = seeded(7)
  for (let round = 0; round < 200; round++) {
    const rate = { requests: 1 + Math.floor(random() * 20), seconds: 1 + Math.floor(random() * 100) }
    const key = `key ${round}`
    // Computed exactly in integers, while the buckets count in fractions of tokens.
    const full = rate.requests * rate.seconds * 1000
    let units = full
    for (let step = 0; step < 60; step++) {
      const wait = random() < 0.7 ? Math.floor(random() * 300) : Math.floor(random() * 20_000)
      clock.advance(wait)
      units = Math.min(full, units + wait * rate.requests)
      const expected = units >= rate.seconds * 1000
      // Where a token is almost complete, rounding may decide either way.
      if (Math.abs(units - rate.seconds * 1000) < 1e-3 * rate.seconds * 1000) continue
      const { taken } = counters.take(key, rate) as Level
      assert.equal(taken, expected, `round ${round}, step ${step}`)
      if (taken) units -= rate.seconds * 1000
    }
  }
})
