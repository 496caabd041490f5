import assert from 'node:assert/strict'
import test from 'node:test'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { noteVerified } from '../../src/core/accounts/verified-email.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { apiOf } from '../../src/testing/index.ts'
import { ann, type Browser, ORIGIN, type Scene, scene } from './scene.ts'

const PAGE = '/accounts/key'
const own = { 'x-requested-with': 'test' }
const minutes = (count: number) => count * 60_000

const withPassword = async (s: Scene, { email, password } = s.w.hamlet): Promise<Browser> => {
  const browser = s.browser()
  assert.equal((await browser.open('/json/session', { username: email, password }, own)).status, 200)
  return browser
}

/** Returns the file that a page shows, as a program reads it. */
function fileIn(html: string) {
  const shown = /<pre><code>([\s\S]*?)<\/code><\/pre>/.exec(html)?.[1]
  const linked = /download="zuliprc" href="data:application\/octet-stream,([^"]+)"/.exec(html)?.[1]
  if (!shown || !linked) return undefined
  assert.equal(decodeURIComponent(linked), shown)
  const [, email, key, site] = /^\[api\]\nemail=(.+)\nkey=([A-Za-z0-9]{32})\nsite=(.+)\n$/.exec(shown)!
  return { email: email!, key: key!, site }
}

test('people who just signed in get a key with its file, once', async () => {
  await using s = await scene()
  const browser = await withPassword(s)
  const asked = await browser.open(PAGE)
  assert.equal(asked.status, 200)
  assert.doesNotMatch(asked.html, /type="password"|zuliprc/)
  const made = await browser.open(PAGE, { name: 'Laptop <b>' })
  const file = fileIn(made.html)!
  assert.deepEqual([file.email, file.site], [s.w.hamlet.email, ORIGIN])
  assert.match(made.headers.get('cache-control')!, /no-store/)
  const api = apiOf(s.w.chat, file)
  assert.equal((await api.get('/users/me')).user_id, s.w.hamlet.id)
  const { api_keys } = await api.get('/users/me/api_keys')
  const { name, kind, expires_at } = api_keys.find(({ current }: { current: boolean }) => current)
  assert.deepEqual([name, kind, expires_at], ['Laptop <b>', 'key', null])
  const { entries } = await s.w.iago.api.get('/audit', { action: 'signIn', subject_id: s.w.hamlet.id })
  assert.deepEqual(entries[0].after, { by: 'key page', kind: 'key' })
  assert.equal(fileIn((await browser.open(PAGE)).html), undefined)
})

test('attack: a session that is older than five minutes gets a key only with the password', async () => {
  await using s = await scene()
  const browser = await withPassword(s)
  s.clock.advance(minutes(5))
  assert.match((await browser.open(PAGE)).html, /type="password"/)
  const keys = async () => (await s.w.hamlet.api.get('/users/me/api_keys')).api_keys.length
  const before = await keys()
  for (const password of ['', 'wrong horse']) {
    const refused = await browser.open(PAGE, { name: 'x', password })
    assert.equal(fileIn(refused.html), undefined)
    assert.match(refused.html, /role="alert"/)
    assert.ok(refused.status >= 400)
  }
  // The name of another account changes nothing, and neither does its password.
  const other = { username: s.w.iago.email, password: s.w.iago.password }
  assert.equal(fileIn((await browser.open(PAGE, { ...other, password: 'wrong' })).html), undefined)
  assert.equal(await keys(), before)
  assert.ok(fileIn((await browser.open(PAGE, { password: s.w.hamlet.password })).html))
  // An API key in place of the session, and use of an old session, confirm nothing.
  s.clock.advance(minutes(3))
  await browser.me()
  s.clock.advance(minutes(3))
  assert.match((await browser.open(PAGE)).html, /type="password"/)
  const { key } = fileIn((await browser.open(PAGE, { password: s.w.hamlet.password })).html)!
  const thief = s.browser()
  thief.cookies.set('__Host-chat_session', key)
  assert.match((await thief.open(PAGE)).html, /type="password"/)
})

test('attack: guessing the password on this page counts like elsewhere', async () => {
  await using s = await scene()
  const browser = await withPassword(s)
  s.clock.advance(minutes(6))
  for (let i = 0; i < 5; i++) assert.equal((await browser.open(PAGE, { password: 'wrong horse' })).status, 401)
  assert.equal((await browser.open(PAGE, { password: s.w.hamlet.password })).status, 429)
})

test('attack: forms of other sites, and requests without a session', async () => {
  await using s = await scene()
  const browser = await withPassword(s)
  for (const site of ['cross-site', 'same-site', 'none']) {
    const refused = await browser.open(PAGE, { name: 'x' }, { 'sec-fetch-site': site })
    assert.deepEqual([site, refused.status, fileIn(refused.html)], [site, 400, undefined])
  }
  assert.ok(fileIn((await browser.open(PAGE, { name: 'x' }, { 'sec-fetch-site': 'same-origin' })).html))
  const stranger = s.browser()
  assert.match((await stranger.open(PAGE)).html, /Sign in to create an API key/)
  assert.equal(fileIn((await stranger.open(PAGE, { name: 'x', password: s.w.hamlet.password })).html), undefined)
  await browser.end(own)
  stranger.cookies.set('__Host-chat_session', 'A'.repeat(32))
  assert.match((await stranger.open(PAGE)).html, /Sign in to create an API key/)
  // Only the cookie counts: programs have a key already.
  const shown = await s.browser().open(PAGE, undefined, { authorization: s.w.hamlet.authorization })
  assert.match(shown.html, /Sign in to create an API key/)
})

test('people without a password sign in with the provider again', async () => {
  await using s = await scene()
  const browser = s.browser()
  await browser.signIn(ann)
  assert.ok(fileIn((await browser.open(PAGE, {})).html))
  s.clock.advance(minutes(6))
  const { html } = await browser.open(PAGE)
  assert.doesNotMatch(html, /type="password"/)
  const link = /<a href="([^"]+)">Sign in with Company login/.exec(html)![1]!
  assert.equal(fileIn((await browser.open(PAGE, { password: 'x' })).html), undefined)
  const { location } = await browser.open(link)
  assert.equal((await browser.open(s.fake.consent(location!, ann))).location, PAGE)
  assert.ok(fileIn((await browser.open(PAGE, {})).html))
})

test('with passwords off, the password confirms nothing', async () => {
  await using s = await scene({ file: { passwords: 'break_glass', break_glass: ['iago@example.com'] } })
  const { hamlet } = s.w
  await contextOf(s.w.chat).write((tx) => noteVerified(tx, hamlet.id))
  const browser = s.browser()
  await browser.signIn({ ...ann, email: hamlet.email })
  assert.equal((await browser.me()).user_id, hamlet.id)
  s.clock.advance(minutes(6))
  assert.doesNotMatch((await browser.open(PAGE)).html, /type="password"/)
  assert.equal(fileIn((await browser.open(PAGE, { password: hamlet.password })).html), undefined)
})

test('with a second factor, the code follows the password', async () => {
  await using s = await scene()
  const { hamlet } = s.w
  const browser = await withPassword(s)
  const code = (secret: string) => codeOf(secret, stepAt(s.clock.now() / 1000))
  const { secret } = await hamlet.api.post('/users/me/totp', { password: hamlet.password })
  await hamlet.api.post('/users/me/totp/confirm', { code: code(secret) })
  s.clock.advance(minutes(6))
  assert.equal(fileIn((await browser.open(PAGE, { password: hamlet.password })).html), undefined)
  assert.ok(fileIn((await browser.open(PAGE, { password: `${hamlet.password} ${code(secret)}` })).html))
})

test('works below a base path', async () => {
  await using s = await scene({ seed: { chat: { publicUrl: `${ORIGIN}/chat` } } })
  const { html } = await s.browser().open('/chat/accounts/key')
  const link = /<a href="([^"]+)">Sign in with Company login/.exec(html)![1]!
  assert.match(link, /^\/chat\/accounts\/login\/social/)
  const browser = s.browser()
  const { location } = await browser.open(link)
  assert.equal((await browser.open(s.fake.consent(location!, ann))).location, '/chat/accounts/key')
  assert.equal(fileIn((await browser.open('/chat/accounts/key', {})).html)!.site, `${ORIGIN}/chat`)
})
