import assert from 'node:assert/strict'
import test from 'node:test'
import { emptyServer } from '../../src/testing/server.ts'
import { eventually } from '../eventually.ts'
import { basic, form, onBothTargets, ownerOf } from './targets.ts'

const RIGHT = 'correct horse'
const minutes = (count: number) => count * 60_000

/** A server that trusts this machine's forwarded headers, so that a test can use any client address. */
async function guarded() {
  const server = await emptyServer({ rateLimit: true, trustProxy: 'loopback' })
  const owner = await ownerOf(server)
  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  const signIn = async (ip: string, password: string, username = owner.email) => {
    const body = form({ username, password })
    return (await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', headers: from(ip), body })).status
  }
  const change = async (ip: string, old_password: string, new_password = 'battery staple') => {
    const response = await fetch(`${server.url}/api/v1/settings`, {
      method: 'PATCH',
      headers: { ...from(ip), authorization: owner.authorization },
      body: form({ old_password, new_password }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { server, owner, from, signIn, change, [Symbol.asyncDispose]: () => server.close() }
}
const times = (count: number) => Array.from({ length: count }, (_, i) => i)

test('attack: guessing a password from one place', async () => {
  await using w = await guarded()
  for (const name of [w.owner.email, 'nobody@example.com']) {
    for (const spelling of [name, name.toUpperCase(), ` ${name} `, name, name]) {
      assert.equal(await w.signIn('192.0.2.1', 'wrong', spelling), 401)
    }
    // An account that does not exist gives the same answers.
    assert.equal(await w.signIn('192.0.2.1', RIGHT, name), 429)
  }
  w.server.clock.advance(minutes(6))
  assert.equal(await w.signIn('192.0.2.1', RIGHT), 200)
  // The right password resets the count.
  for (const _ of times(5)) assert.equal(await w.signIn('192.0.2.1', 'wrong'), 401)
  assert.equal(await w.signIn('192.0.2.1', RIGHT), 429)
})

test('attack: guessing a password from many places notifies the account and the owners once', async () => {
  await using w = await guarded()
  const { server, owner } = w
  const call = async (path: string, headers: Record<string, string>, body?: URLSearchParams) => {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers,
      ...(body && { body }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: an answer of any request.
    return (await response.json()) as any
  }
  const account = { email: 'ann@example.com', full_name: 'Ann', password: RIGHT }
  await call('/users', { authorization: owner.authorization }, form(account))
  const { api_key } = await call(
    '/fetch_api_key',
    w.from('192.0.2.1'),
    form({ username: account.email, password: RIGHT }),
  )
  const noticesOf = async (authorization: string) => {
    const query = new URLSearchParams({ anchor: 'newest', num_before: '9', num_after: '0', apply_markdown: 'false' })
    const { messages } = await call(`/messages?${query}`, { authorization })
    return (messages as { content: string }[]).map(({ content }) => content).filter((text) => /guessing/.test(text))
  }
  for (const i of times(60)) assert.equal(await w.signIn(`198.51.100.${i}`, 'wrong', account.email), 401)
  for (const i of times(30)) await w.signIn(`198.51.100.${i}`, 'wrong', 'nobody@example.com')
  const ofAnn = () => noticesOf(basic(account.email, api_key))
  await eventually('the account is notified', async () => (await ofAnn()).length > 0)
  await eventually('the owner is notified', async () => (await noticesOf(owner.authorization)).length > 0)
  assert.deepEqual(await ofAnn(), [
    "Someone may be guessing your password: 20 wrong passwords were tried within half an hour, from addresses that the account hasn't signed in from. Make sure that your password is long and used nowhere else.",
  ])
  const [notice, ...more] = await noticesOf(owner.authorization)
  assert.match(notice!, /^Someone may be guessing the password of @_\*\*Ann\|\d+\*\*: 20 wrong passwords/)
  assert.deepEqual(more, [])
  // The account itself is not locked out where it is known.
  assert.equal(await w.signIn('192.0.2.1', RIGHT, account.email), 200)
})

test('attack: guessing the old password with a stolen key', async () => {
  await using w = await guarded()
  for (const _ of times(5)) {
    const { status, body } = await w.change('192.0.2.1', 'wrong')
    assert.deepEqual([status, body.msg], [400, 'Wrong password!'])
  }
  const { status, body } = await w.change('192.0.2.1', RIGHT)
  assert.equal(status, 429)
  assert.deepEqual(body.limit, { name: 'password', per: 'account and address', requests: 5, seconds: 1800 })
  assert.equal(body['retry-after'], 360)
  // All endpoints share one limit.
  assert.equal(await w.signIn('192.0.2.1', RIGHT), 429)
  w.server.clock.advance(minutes(6))
  assert.equal((await w.change('192.0.2.1', RIGHT)).status, 200)
})

test('attack: other settings do not give attempts back', async () => {
  await using w = await guarded()
  const headers = { ...w.from('192.0.2.1'), authorization: w.owner.authorization }
  const set = (params: Record<string, string>) =>
    fetch(`${w.server.url}/api/v1/settings`, { method: 'PATCH', headers, body: form(params) })
  for (const _ of times(5)) {
    assert.equal((await w.change('192.0.2.1', 'wrong')).status, 400)
    assert.equal((await set({ full_name: 'Owner', old_password: RIGHT })).status, 200)
  }
  assert.equal((await w.change('192.0.2.1', RIGHT)).status, 429)
})

test('attack: locking the owner out from one unknown address', async () => {
  await using w = await guarded()
  for (const _ of times(30)) await w.signIn('203.0.113.9', 'wrong')
  assert.equal(await w.signIn('203.0.113.9', RIGHT), 429)
  assert.equal(await w.signIn('192.0.2.1', RIGHT), 200)
})

test('attack: locking the owner out from many addresses', async () => {
  await using w = await guarded()
  assert.equal(await w.signIn('192.0.2.1', RIGHT), 200)
  for (const i of times(100)) assert.equal(await w.signIn(`203.0.113.${i}`, 'wrong'), 401)
  // All unknown addresses together have reached the limit …
  assert.equal(await w.signIn('203.0.113.200', RIGHT), 429)
  assert.equal(await w.signIn('192.0.2.77', RIGHT), 429)
  // … and addresses the owner has signed in from recently are not affected.
  assert.equal(await w.signIn('192.0.2.1', 'wrong'), 401)
  assert.equal(await w.signIn('192.0.2.1', RIGHT), 200)
})

test('attack: a key in use also makes an address known, for a month', async () => {
  await using w = await guarded()
  const headers = { ...w.from('192.0.2.1'), authorization: w.owner.authorization }
  assert.equal((await fetch(`${w.server.url}/api/v1/users/me`, { headers })).status, 200)
  const fill = async () => {
    for (const i of times(100)) await w.signIn(`203.0.113.${i}`, 'wrong')
  }
  await fill()
  assert.equal(await w.signIn('192.0.2.1', RIGHT), 200)
  w.server.clock.advance(minutes(60 * 24 * 31))
  await fill()
  assert.equal(await w.signIn('192.0.2.1', RIGHT), 429)
})

test('attack: trying one password on many accounts', async () => {
  await using w = await guarded()
  for (const i of times(50)) assert.equal(await w.signIn('203.0.113.9', 'wrong', `person${i}@example.com`), 401)
  const last = await fetch(`${w.server.url}/api/v1/fetch_api_key`, {
    method: 'POST',
    headers: w.from('203.0.113.9'),
    body: form({ username: 'another@example.com', password: 'wrong' }),
  })
  const { limit } = (await last.json()) as { limit: { name: string } }
  assert.deepEqual([last.status, limit.name], [429, 'passwordAddress'])
  // The headers describe the limit that was hit.
  assert.equal(last.headers.get('x-ratelimit-limit'), '50')
  assert.equal(await w.signIn('192.0.2.1', RIGHT), 200)
})

test('attack: using many addresses of one network', async () => {
  await using w = await guarded()
  for (const i of times(5)) assert.equal(await w.signIn(`2001:db8:1:2::${i + 1}`, 'wrong'), 401)
  assert.equal(await w.signIn('2001:db8:1:2:ffff::1', RIGHT), 429)
  assert.equal(await w.signIn('2001:db8:1:3::1', RIGHT), 200)
})

test('attack: sending untrusted forwarded addresses', async () => {
  await using server = await emptyServer({ rateLimit: true })
  const { email } = await ownerOf(server)
  const attempt = async (i: number, password = 'wrong') => {
    const headers = { 'x-forwarded-for': `203.0.113.${i}` }
    const body = form({ username: email, password })
    return (await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', headers, body })).status
  }
  for (const i of times(5)) assert.equal(await attempt(i), 401)
  assert.equal(await attempt(6, RIGHT), 429)
})

onBothTargets('attack: many attempts at the same moment', { rateLimit: true }, async ({ server, ask }) => {
  const { email } = await ownerOf(server)
  const body = () => form({ username: email, password: 'wrong' })
  const replies = await Promise.all(times(20).map(() => ask('/fetch_api_key', { method: 'POST', body: body() })))
  assert.equal(replies.filter(({ status }) => status === 401).length, 5)
})

onBothTargets('attack: long account names', { rateLimit: true }, async ({ ask }) => {
  const attempt = (i: number) => {
    const body = form({ username: 'a'.repeat(300) + i, password: 'x' })
    return ask('/fetch_api_key', { method: 'POST', body })
  }
  for (const i of times(5)) assert.equal((await attempt(i)).status, 401)
  assert.equal((await attempt(5)).status, 429)
})

test("other failures don't count as wrong passwords", async () => {
  await using w = await guarded()
  for (const _ of times(8)) {
    // The right password, but the new one is too short.
    assert.equal((await w.change('192.0.2.1', RIGHT, 'x')).status, 400)
  }
  assert.equal((await w.change('192.0.2.1', RIGHT)).status, 200)
  const other = basic(w.owner.email, 'nonsense')
  assert.equal((await fetch(`${w.server.url}/api/v1/users/me`, { headers: { authorization: other } })).status, 401)
})
