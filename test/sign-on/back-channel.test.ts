import assert from 'node:assert/strict'
import test from 'node:test'
import { noteVerified } from '../../src/core/accounts/verified-email.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { apiOf } from '../../src/testing/index.ts'
import { fakeProvider, ISSUER } from './fake-provider.ts'
import { ann, type Browser, keycloak, type Scene, scene } from './scene.ts'

const PATH = '/oidc/keycloak/backchannel'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const PAD = 'a1'.repeat(32)
const laptop = { ...ann, sid: 'laptop' }
const phone = { ...ann, sid: 'phone' }

let tokens = 0
const now = (s: Scene) => Math.floor(s.clock.now() / 1000)
const claims = (s: Scene, more: object = {}) => ({
  iss: ISSUER,
  aud: 'chat',
  iat: now(s),
  exp: now(s) + 120,
  jti: `token ${++tokens}`,
  sub: ann.sub,
  events: { [EVENT]: {} },
  ...more,
})
const send = (s: Scene, logout_token: string, path = PATH) => s.browser().open(path, { logout_token })
/** Sends a token with these claims. */
const logout = (s: Scene, more: object = {}) => send(s, s.fake.logoutToken(claims(s, more)))

async function signedIn(s: Scene, who: object): Promise<Browser> {
  const browser = s.browser()
  assert.equal((await browser.signIn({ ...who })).location, '/')
  return browser
}
const isIn = async (browser: Browser) => (await browser.me()).result === 'success'

/** Signs an app in, and returns whether its key works. */
async function app(s: Scene, who: object) {
  const browser = s.browser()
  const { location } = await browser.signIn({ ...who }, `?mobile_flow_otp=${PAD}`)
  const { searchParams } = new URL((await browser.open(location!, {})).location!)
  const bytes = Buffer.from(searchParams.get('otp_encrypted_api_key')!, 'hex').map((byte) => byte ^ 0xa1)
  const api = apiOf(s.w.chat, { email: searchParams.get('email')!, key: Buffer.from(bytes).toString('ascii') })
  return async () => (await api.get('/users/me')).status === 200
}

test('a session at the provider ends the browser and the app that began with it', async () => {
  await using s = await scene()
  const [first, second] = [await signedIn(s, laptop), await signedIn(s, phone)]
  const [ofLaptop, ofPhone] = [await app(s, laptop), await app(s, phone)]
  const answer = await logout(s, { sid: 'laptop' })
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('cache-control')!, /no-store/)
  assert.deepEqual(
    [await isIn(first), await ofLaptop(), await isIn(second), await ofPhone()],
    [false, false, true, true],
  )
  const { entries } = await s.w.iago.api.get('/audit', { action: 'endProviderSession' })
  assert.deepEqual(entries[0].after, { provider: 'keycloak', revoked: 2 })
  // A session that nobody knows here ends nothing, and is no mistake.
  assert.equal((await logout(s, { sid: 'elsewhere' })).status, 200)
  assert.equal(await isIn(second), true)
})

test('a token without a session ends everything of the person, and of nobody else', async () => {
  await using s = await scene()
  const [first, second] = [await signedIn(s, laptop), await signedIn(s, ann)]
  const other = await signedIn(s, { sub: 'subject-2', email: 'bob@example.com', email_verified: true, name: 'Bob' })
  const ofPhone = await app(s, phone)
  assert.equal((await logout(s)).status, 200)
  assert.deepEqual(
    [await isIn(first), await isIn(second), await ofPhone(), await isIn(other)],
    [false, false, false, true],
  )
  assert.equal(await isIn(await signedIn(s, laptop)), true)
})

test('a sign-in that waits for its next step ends, too', async () => {
  await using s = await scene()
  await signedIn(s, laptop)
  const browser = s.browser()
  const { location } = await browser.signIn(laptop, `?mobile_flow_otp=${PAD}`)
  assert.equal((await logout(s, { sid: 'laptop' })).status, 200)
  assert.equal((await browser.open(location!, {})).status, 400)
})

test('attack: tokens that are no logout tokens of this provider for this server', async () => {
  await using s = await scene()
  const browser = await signedIn(s, laptop)
  const bad: object[] = [
    { iss: 'https://evil.example' },
    { iss: `${ISSUER}/` },
    { aud: 'other' },
    { aud: ['other'] },
    { aud: undefined },
    { events: undefined },
    { events: {} },
    { events: { [EVENT]: 'yes' } },
    { events: { 'http://schemas.openid.net/event/other': {} } },
    { nonce: 'x' },
    { jti: undefined },
    { jti: '' },
    { iat: undefined },
    { iat: now(s) + 61 },
    { iat: now(s) - 181 },
    { exp: now(s) - 61 },
    { sub: undefined },
    { sub: 7 },
    { sid: '' },
  ]
  for (const more of bad) {
    const { status, html } = await logout(s, more)
    assert.deepEqual([more, status, JSON.parse(html).msg], [more, 400, 'Invalid logout token'])
  }
  const good = claims(s)
  for (const header of [
    { typ: 'JWT' },
    { typ: undefined },
    { alg: 'none' },
    { alg: 'HS256' },
    { alg: 'ES256' },
    { kid: 'x' },
  ])
    assert.equal((await send(s, s.fake.logoutToken(good, { typ: 'logout+jwt', ...header }))).status, 400)
  const stranger = fakeProvider({ now: () => s.clock.now() })
  assert.equal((await send(s, stranger.logoutToken(good))).status, 400)
  const right = s.fake.logoutToken(good)
  for (const token of [
    '',
    'x',
    '..',
    `${right}x`,
    right.slice(0, -5),
    'a'.repeat(9000),
    right.replace(/\.[^.]*$/, '.'),
  ])
    assert.equal((await send(s, token)).status, 400)
  assert.equal((await send(s, right, '/oidc/unknown/backchannel')).status, 400)
  assert.equal((await s.browser().open(`${PATH}?logout_token=${right}`)).status, 405)
  assert.equal(await isIn(browser), true)
  assert.equal((await send(s, right)).status, 200)
  assert.equal(await isIn(browser), false)
})

test('attack: a token that was used before, or belongs to another provider', async () => {
  await using s = await scene({
    others: [
      {
        config: { ...keycloak, name: 'second', issuer: 'https://other.example' },
        fake: (time) => fakeProvider({ issuer: 'https://other.example', now: time }),
      },
    ],
  })
  await signedIn(s, laptop)
  const token = s.fake.logoutToken(claims(s))
  assert.equal((await send(s, token, '/oidc/second/backchannel')).status, 400)
  assert.equal((await send(s, token)).status, 200)
  const browser = await signedIn(s, laptop)
  assert.equal((await send(s, token)).status, 400)
  // The same subject and session at another provider are somebody else's.
  const second = s.fakes[1]!
  const theirs = claims(s, { iss: second.issuer, sid: 'laptop' })
  assert.equal((await send(s, second.logoutToken(theirs), '/oidc/second/backchannel')).status, 200)
  assert.equal(await isIn(browser), true)
})

test('new keys of the provider are found, and strangers make the server ask once a minute', async () => {
  await using s = await scene()
  await signedIn(s, laptop)
  const asked = () => s.fake.asked.filter((path) => path === '/jwks').length
  assert.equal((await logout(s)).status, 200)
  const before = asked()
  s.clock.advance(60_000)
  s.fake.rotateKey()
  assert.equal((await logout(s)).status, 200)
  assert.equal(asked(), before + 1)
  for (let i = 0; i < 5; i++)
    assert.equal((await send(s, s.fake.logoutToken(claims(s), { typ: 'logout+jwt', kid: `k${i}` }))).status, 400)
  assert.equal(asked(), before + 1)
  assert.equal((await logout(s)).status, 200)
})

test('the audit log has the sign-ins of people who may not sign in', async () => {
  await using s = await scene({ provider: { require: { claim: 'groups', any: ['chat'] } } })
  const { hamlet, iago } = s.w
  await contextOf(s.w.chat).write((tx) => noteVerified(tx, hamlet.id))
  const denied = async () => {
    const { entries } = await iago.api.get('/audit', { outcome: 'denied' })
    return (entries as { action: string; subject_id: number | null; count: number }[])
      .map(({ action, subject_id, count }) => [action, subject_id, count])
      .toSorted()
  }
  await s.browser().signIn({ ...ann, email: hamlet.email })
  await s.browser().signIn({ ...ann, email: hamlet.email })
  // An address that the provider hasn't checked accuses nobody.
  await s.browser().signIn({ ...ann, sub: 'x', email: hamlet.email, email_verified: false })
  assert.deepEqual(await denied(), [
    ['signIn', null, 1],
    ['signIn', hamlet.id, 2],
  ])
  await s.browser().signIn({ ...ann, email: hamlet.email, groups: ['chat'] })
  await iago.api.delete(`/users/${hamlet.id}`)
  await s.browser().signIn({ ...ann, email: 'elsewhere@example.com', groups: ['chat'] })
  assert.equal((await denied()).filter(([, id]) => id === hamlet.id).length, 2)
})
