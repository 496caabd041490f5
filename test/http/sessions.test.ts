import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginSession, removeEndedSessions } from '../../src/core/accounts/sessions.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { createApp } from '../../src/http/app.ts'
import { actAs, register } from '../../src/index.ts'
import { type World, world } from '../../src/testing/world.ts'

const own = { 'x-requested-with': 'test' }

/** A browser: it keeps the cookie it is given, and sends it along. */
function browserOf(w: World, origin = 'http://localhost') {
  const app = createApp({ chat: w.chat, publicUrl: origin })
  let cookie: string | undefined
  return {
    get cookie() {
      return cookie
    },
    async ask(method: string, path: string, params?: Record<string, string>, headers: Record<string, string> = {}) {
      const request = new Request(origin + path, {
        method,
        headers: { ...headers, ...(cookie && { cookie: `other=1; ${cookie.split(';')[0]}` }) },
        ...(params && { body: new URLSearchParams(params) }),
      })
      const response = await app.fetch(request)
      cookie = response.headers.get('set-cookie') ?? cookie
      const answer = (await response.json()) as Record<string, unknown>
      return { ...answer, status: response.status } as Record<string, unknown> & { status: number }
    },
  }
}

test('a browser signs in with a password and gets its key only in a cookie', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const browser = browserOf(w)
  const account = { username: hamlet.email, password: hamlet.password, name: 'Firefox on Linux' }
  const answer = await browser.ask('POST', '/json/session', account, own)
  assert.deepEqual(answer, { status: 200, result: 'success', msg: '', email: hamlet.email, user_id: hamlet.id })
  assert.match(browser.cookie!, /^chat_session=\w{32}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
  const me = await browser.ask('GET', '/json/users/me')
  assert.equal(me.user_id, hamlet.id)
  const { api_keys } = await hamlet.api.get('/users/me/api_keys')
  assert.equal(api_keys.at(-1).name, 'Firefox on Linux')
})

test('says who is signed in without an error if no one is', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const browser = browserOf(w)
  const session = async () => {
    const { status, user_id, spectators_admitted } = await browser.ask('GET', '/json/session')
    return [status, user_id, spectators_admitted]
  }
  assert.deepEqual(await session(), [200, null, false])
  await iago.api.patch('/realm', { enable_spectator_access: true })
  assert.deepEqual(await session(), [200, null, true])
  await browser.ask('POST', '/json/session', { username: hamlet.email, password: hamlet.password }, own)
  assert.deepEqual(await session(), [200, hamlet.id, true])
})

test('names a session after its browser unless a name is given', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const browser = browserOf(w)
  const account = { username: hamlet.email, password: hamlet.password }
  const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1'
  for (const [agent, name] of [
    [safari, 'Safari on iOS'],
    ['curl/8', 'Browser'],
  ] as const) {
    await browser.ask('POST', '/json/session', account, { ...own, 'user-agent': agent })
    const { api_keys } = await hamlet.api.get('/users/me/api_keys')
    assert.equal(api_keys.at(-1).name, name)
  }
})

test('the cookie is Secure when the server is reached over HTTPS', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const browser = browserOf(w, 'https://chat.example.com')
  await browser.ask('POST', '/json/session', { username: hamlet.email, password: hamlet.password }, own)
  assert.match(browser.cookie!, /^__Host-chat_session=\w{32}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  assert.equal((await browser.ask('GET', '/json/users/me')).user_id, hamlet.id)
  // A neighbouring domain, or a page without TLS, can only plant a cookie of another name.
  const key = /=(\w+)/.exec(browser.cookie!)![1]
  const planted = new Request('https://chat.example.com/json/users/me', { headers: { cookie: `chat_session=${key}` } })
  assert.equal((await createApp({ chat: w.chat }).fetch(planted)).status, 401)
})

test("requests that change something must come from this server's pages", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const browser = browserOf(w)
  await browser.ask('POST', '/json/session', { username: hamlet.email, password: hamlet.password }, own)
  const message = { type: 'stream', to: 'general', topic: 't', content: 'x' }
  const foreign = await browser.ask('POST', '/json/messages', message)
  assert.deepEqual([foreign.status, foreign.code], [400, 'BAD_REQUEST'])
  assert.match(String(foreign.msg), /x-requested-with/)
  assert.equal((await browser.ask('POST', '/json/messages', message, own)).status, 200)
})

test("requests from another site's page are rejected even with the header", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const browser = browserOf(w)
  const account = { username: hamlet.email, password: hamlet.password }
  const foreign = { ...own, 'sec-fetch-site': 'cross-site' }
  assert.equal((await browser.ask('POST', '/json/session', account, foreign)).status, 400)
  await browser.ask('POST', '/json/session', account, own)
  const message = { type: 'stream', to: 'general', topic: 't', content: 'x' }
  const sent = await browser.ask('POST', '/json/messages', message, foreign)
  assert.deepEqual([sent.status, sent.code], [400, 'BAD_REQUEST'])
  assert.match(String(sent.msg), /another site/)
  assert.equal((await browser.ask('GET', '/json/users/me', undefined, foreign)).status, 400)
  for (const site of ['same-origin', 'same-site', 'none']) {
    const ours = await browser.ask('POST', '/json/messages', message, { ...own, 'sec-fetch-site': site })
    assert.equal(ours.status, 200, site)
  }
})

test("a page of another site can't sign anyone in with a form", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const app = createApp({ chat: w.chat })
  const account = { username: hamlet.email, password: hamlet.password }
  const fields = Object.entries(account).map(
    ([name, text]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  )
  const bodies: [string, string][] = [
    ['application/x-www-form-urlencoded', new URLSearchParams(account).toString()],
    ['text/plain', new URLSearchParams(account).toString()],
    ['text/plain', JSON.stringify(account)],
    ['multipart/form-data; boundary=b', `${fields.join('')}--b--\r\n`],
  ]
  for (const [type, body] of bodies) {
    const response = await app.fetch(
      new Request('http://localhost/json/session', { method: 'POST', headers: { 'content-type': type }, body }),
    )
    assert.deepEqual([response.status, response.headers.get('set-cookie')], [400, null], type)
  }
})

test('clears the cookie of a browser whose session has ended', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const browser = browserOf(w)
  await browser.ask('POST', '/json/session', { username: hamlet.email, password: hamlet.password }, own)
  const { api_keys } = await hamlet.api.get('/users/me/api_keys')
  await hamlet.api.delete(`/users/me/api_keys/${api_keys.at(-1).id}`)
  assert.equal((await browser.ask('GET', '/json/users/me')).code, 'INVALID_API_KEY')
  assert.match(browser.cookie!, /^chat_session=; Max-Age=0/)
})

test('the API ignores cookies', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const browser = browserOf(w)
  await browser.ask('POST', '/json/session', { username: hamlet.email, password: hamlet.password }, own)
  assert.equal((await browser.ask('GET', '/api/v1/users/me')).status, 401)
})

test('a session ends by signing out, through the key list and with a password change', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const signIn = async () => {
    const browser = browserOf(w)
    await browser.ask('POST', '/json/session', { username: hamlet.email, password: hamlet.password }, own)
    const kept = browser.cookie
    const isIn = async () => (await browser.ask('GET', '/json/users/me')).status === 200
    assert.ok(await isIn())
    return { browser, kept, isIn }
  }
  const [out, listed, other] = [await signIn(), await signIn(), await signIn()]
  await out.browser.ask('DELETE', '/json/session', undefined, own)
  assert.match(out.browser.cookie!, /^chat_session=; Max-Age=0/)
  const stolen = new Request('http://localhost/json/users/me', { headers: { cookie: out.kept! } })
  assert.equal((await createApp({ chat: w.chat }).fetch(stolen)).status, 401)
  const { api_keys } = await listed.browser.ask('GET', '/json/users/me/api_keys')
  const current = (api_keys as { id: number; current: boolean }[]).find((key) => key.current)!
  await hamlet.api.delete(`/users/me/api_keys/${current.id}`)
  assert.ok(!(await listed.isIn()))
  await hamlet.api.patch('/settings', { old_password: hamlet.password, new_password: 'battery staple' })
  assert.ok(!(await other.isIn()))
})

test("a wrong password doesn't sign in", async () => {
  await using w = await world()
  const browser = browserOf(w)
  const answer = await browser.ask('POST', '/json/session', { username: w.people.hamlet.email, password: 'wrong' }, own)
  assert.deepEqual([answer.status, answer.code], [401, 'AUTHENTICATION_FAILED'])
  assert.equal(browser.cookie, undefined)
  assert.equal((await browser.ask('DELETE', '/json/session', undefined, own)).status, 401)
})

test('a session ends after 14 idle days or 30 days, and other keys never do', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const signIn = async () => {
    const browser = browserOf(w)
    await browser.ask('POST', '/json/session', { username: hamlet.email, password: hamlet.password }, own)
    return browser
  }
  const [busy, idle] = [await signIn(), await signIn()]
  const me = async (browser: typeof busy) => (await browser.ask('GET', '/json/users/me')).status
  const expiries = async () => {
    const { api_keys } = await hamlet.api.get('/users/me/api_keys')
    return api_keys.map(({ kind, expires_at }: { kind: string; expires_at: number | null }) =>
      expires_at === null ? [kind] : [kind, expires_at - w.clock.now() / 1000],
    )
  }
  const day = 24 * 3600
  assert.deepEqual(await expiries(), [['key'], ['session', 14 * day], ['session', 14 * day]])
  w.clock.advance(13 * day * 1000)
  assert.equal(await me(busy), 200)
  w.clock.advance(day * 1000)
  assert.deepEqual([await me(busy), await me(idle)], [200, 401])
  assert.deepEqual(await expiries(), [['key'], ['session', 14 * day]])
  w.clock.advance(13 * day * 1000)
  assert.deepEqual([await me(busy), await expiries()], [200, [['key'], ['session', 3 * day]]])
  w.clock.advance(3 * day * 1000)
  assert.deepEqual([await me(busy), (await hamlet.api.get('/users/me')).status], [401, 200])
})

test('the daily cleanup removes ended sessions and their queues', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const begun = await beginSession(contextOf(w.chat), { username: hamlet.email, password: hamlet.password })
  w.clock.advance(14 * 24 * 3600 * 1000 - 300_000)
  const browser = await actAs(w.chat, { api_key: begun.api_key! })
  const { queue_id } = await register(browser, { event_types: ['message'] })
  const poll = async () => {
    const { status, code } = await hamlet.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
    return [status, code]
  }
  w.clock.advance(300_000)
  assert.deepEqual(await poll(), [200, undefined])
  await removeEndedSessions(w.chat)
  assert.deepEqual(await poll(), [400, 'BAD_EVENT_QUEUE_ID'])
  const rows = await hamlet.db.selectFrom('api_key').select('id').where('user_id', '=', hamlet.id).execute()
  assert.equal(rows.length, 1)
})
