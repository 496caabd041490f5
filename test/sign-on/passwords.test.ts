import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../src/http/app.ts'
import { apiOf, type Person } from '../../src/testing/index.ts'
import { authenticator } from '../accounts/authenticator.ts'
import { browser, signIn } from '../accounts/passkey-browser.ts'
import { eventually } from '../eventually.ts'
import { ann, ORIGIN, scene } from './scene.ts'

const off = (break_glass: readonly string[]) => ({ file: { passwords: 'break_glass', break_glass } })

test('with passwords off, only emergency accounts use theirs', async () => {
  await using s = await scene(off(['IAGO@example.com']))
  const { hamlet, iago } = s.w
  assert.equal(iago.email, 'iago@example.com')
  const api = apiOf(s.w.chat)
  const fetchKey = (username: string, password: string) => api.post('/fetch_api_key', { username, password })
  const refused = await fetchKey(hamlet.email, hamlet.password)
  assert.deepEqual([refused.status, refused.code], [401, 'PASSWORD_AUTH_DISABLED'])
  assert.equal((await fetchKey(iago.email, iago.password)).status, 200)
  // Nobody learns whose accounts these are, or which exist.
  const answers = [await fetchKey(iago.email, 'wrong horse'), await fetchKey('nobody@example.com', 'x')]
  for (const { status, code, msg } of answers) assert.deepEqual([status, code, msg], [401, refused.code, refused.msg])
  const { authentication_methods: methods, email_auth_enabled } = await api.get('/server_settings')
  assert.deepEqual([methods.password, methods.email, email_auth_enabled], [false, false, false])

  const browser = s.browser()
  const own = { 'x-requested-with': 'test' }
  const session = (username: string, password: string) => browser.open('/json/session', { username, password }, own)
  assert.match((await session(hamlet.email, hamlet.password)).html, /PASSWORD_AUTH_DISABLED/)
  assert.equal((await session(iago.email, iago.password)).status, 200)
  // Keys that exist keep working.
  assert.equal((await hamlet.api.get('/users/me')).status, 200)
})

test('the other owners are told when somebody signs in to an emergency account', async () => {
  await using s = await scene({ ...off(['iago@example.com']), seed: { people: { olga: { role: 'owner' } } } })
  const { iago, hamlet } = s.w
  const olga = s.w.person('olga')
  const newest = async ({ api }: Person) => {
    const { messages } = await api.get('/messages', {
      ...{ anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false },
      narrow: [{ operator: 'is', operand: 'dm' }],
    })
    return messages[0].content as string
  }
  await apiOf(s.w.chat).post('/fetch_api_key', { username: iago.email, password: iago.password })
  assert.match(await newest(olga), /^@_\*\*iago\|\d+\*\* signed in without your identity provider\./)
  assert.doesNotMatch(await newest(hamlet), /without your identity provider/)
})

test('a provider can be required for a domain', async () => {
  await using s = await scene({
    provider: { required_for: ['example.com'] },
    file: { break_glass: ['iago@example.com'] },
    seed: { people: { ann: { email: 'ann@elsewhere.example' } } },
  })
  const { hamlet, iago } = s.w
  const outsider = s.w.person('ann')
  const api = apiOf(s.w.chat)
  const codeFor = async ({ email, password }: { email: string; password: string }) =>
    (await api.post('/fetch_api_key', { username: email, password })).code
  assert.deepEqual(
    [await codeFor(hamlet), await codeFor(iago), await codeFor(outsider)],
    ['PASSWORD_AUTH_DISABLED', undefined, undefined],
  )
  assert.equal((await api.get('/server_settings')).email_auth_enabled, true)
})

test('an emergency account keeps its password: it is linked with it only', async () => {
  await using s = await scene(off(['iago@example.com']))
  const { iago } = s.w
  const browser = s.browser()
  const { location } = await browser.signIn({ ...ann, email: iago.email })
  assert.match(location!, /\/accounts\/login\/link/)
  assert.equal((await browser.open(location!, { username: iago.email, password: iago.password })).location, '/')
  assert.equal((await browser.me()).user_id, iago.id)
  assert.equal(
    (await apiOf(s.w.chat).post('/fetch_api_key', { username: iago.email, password: iago.password })).status,
    200,
  )
})

test('a password that is off links nothing', async () => {
  await using s = await scene(off(['iago@example.com']))
  const { hamlet } = s.w
  const browser = s.browser()
  const { location } = await browser.signIn({ ...ann, email: hamlet.email, email_verified: false })
  const { html } = await browser.open(location!, { username: hamlet.email, password: hamlet.password })
  assert.match(html, /Password authentication is disabled/)
})

test('a right password that is off is denied, and is no failed sign-in in the audit log and in notices', async () => {
  await using s = await scene(off(['iago@example.com']))
  const { hamlet, iago } = s.w
  const app = createApp({ chat: s.w.chat, publicUrl: ORIGIN })
  const tries = async (address: string, password: string, times = 1) => {
    const statuses: number[] = []
    for (let i = 0; i < times; i++) {
      const body = new URLSearchParams({ username: hamlet.email, password })
      const request = new Request(`${ORIGIN}/api/v1/fetch_api_key`, { method: 'POST', body })
      Object.defineProperty(request, 'ip', { value: address })
      statuses.push((await app.fetch(request)).status)
    }
    return statuses
  }
  const signIns = async () => {
    const { entries } = await iago.api.get('/audit', { action: 'signIn', subject_kind: 'user', subject_id: hamlet.id })
    return (entries as { outcome: string; count: number }[]).map(({ outcome, count }) => [outcome, count])
  }
  // Both kinds count for the limit alike, so that it doesn't say which passwords are right.
  assert.deepEqual(await tries('192.0.2.1', hamlet.password, 6), [401, 401, 401, 401, 401, 429])
  assert.deepEqual(await tries('192.0.2.2', 'wrong horse', 2), [401, 401])
  assert.deepEqual(await signIns(), [
    ['failed', 2],
    ['denied', 6],
  ])
  for (let i = 0; i < 30; i++) await tries(`198.51.100.${i}`, hamlet.password)
  for (let i = 0; i < 17; i++) await tries(`203.0.113.${i}`, 'wrong horse')
  const notices = async () => {
    const { messages } = await iago.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0 })
    return (messages as { content: string }[]).filter(({ content }) => content.includes('guessing'))
  }
  assert.deepEqual(await notices(), [])
  await tries('203.0.113.99', 'wrong horse')
  await eventually('the owners are notified of 20 wrong ones', async () => (await notices()).length === 1)
  assert.match((await notices())[0]!.content, /: 20 wrong passwords/)
})

test('a passkey is no way around an identity provider that an account must use', async () => {
  await using s = await scene(off(['iago@example.com']))
  const { hamlet, iago } = s.w
  const made = authenticator(ORIGIN)
  const begin = ({ api, password }: Person) => api.post('/users/me/passkeys/options', { password })
  assert.match((await begin(hamlet)).msg, /You sign in with your identity provider/)
  assert.equal((await hamlet.api.get('/users/me/passkeys')).available, false)
  const { options } = await begin(iago)
  assert.equal((await iago.api.post('/users/me/passkeys', { response: made.create(options), name: 'x' })).status, 200)
  assert.equal((await signIn(browser(s.w), made)).status, 200)
  await iago.write(async ({ db }) => void (await db.updateTable('passkey').set({ user_id: hamlet.id }).execute()))
  assert.equal((await signIn(browser(s.w), made)).code, 'PASSWORD_AUTH_DISABLED')
})
