import assert from 'node:assert/strict'
import test from 'node:test'
import { apiOf } from '../../src/testing/index.ts'
import { ann, scene } from './scene.ts'

const off = (break_glass: readonly string[]) => ({ file: { passwords: 'break_glass', break_glass } })

test('with passwords off, only accounts for emergencies use theirs', async () => {
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

test('an account for emergencies keeps its password: it is linked with it only', async () => {
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
