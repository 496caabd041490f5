import assert from 'node:assert/strict'
import { createDecipheriv } from 'node:crypto'
import test from 'node:test'
import { apiOf } from '../../src/testing/index.ts'
import { ann, ORIGIN, scene } from './scene.ts'

const PAD = 'a1'.repeat(32)

test('server_settings lists the providers as apps expect', async () => {
  await using s = await scene({ others: [], provider: {} })
  const settings = await apiOf(s.w.chat).get('/server_settings')
  assert.deepEqual(settings.external_authentication_methods, [
    {
      name: 'oidc:keycloak',
      display_name: 'Company login',
      display_icon: null,
      login_url: '/accounts/login/social/oidc/keycloak',
      signup_url: '/accounts/register/social/oidc/keycloak',
    },
  ])
  const { authentication_methods: methods, email_auth_enabled } = settings
  assert.deepEqual(
    [methods['openid connect'], methods.github, methods.password, email_auth_enabled],
    [true, false, true, true],
  )
})

/** What the official app does in lib/widgets/login.dart: it replaces the query, waits for its scheme, and decrypts. */
test('the mobile app gets a key that only its pad decrypts, after a person allowed it', async () => {
  await using s = await scene()
  const { external_authentication_methods, realm_url } = await apiOf(s.w.chat).get('/server_settings')
  const login = new URL(external_authentication_methods[0].login_url, ORIGIN)
  login.search = new URLSearchParams({ mobile_flow_otp: PAD }).toString()
  const browser = s.browser()
  const { location: address } = await browser.open(login.href)
  const asked = await browser.open(s.fake.consent(address!, ann))
  assert.match(asked.location!, /^\/accounts\/login\/app\?step=/)
  const page = await browser.open(asked.location!)
  assert.match(page.html, /Sign in to the app as Ann Lee\?/)
  assert.match(page.headers.get('content-security-policy')!, /form-action 'self' zulip:;/)
  assert.equal(browser.session(), undefined)

  const other = s.browser()
  await other.start()
  assert.equal((await other.open(asked.location!, {})).status, 400)

  const handed = await browser.open(asked.location!, {})
  assert.equal(handed.status, 303)
  const url = new URL(handed.location!)
  assert.equal(url.href.split('?')[0], 'zulip://login')
  const given = Object.fromEntries(url.searchParams)
  assert.deepEqual(Object.keys(given).toSorted(), ['email', 'otp_encrypted_api_key', 'realm', 'user_id'])
  assert.match(given.otp_encrypted_api_key!, /^[0-9a-f]{64}$/)
  assert.equal(new URL(given.realm!).origin, ORIGIN)
  assert.equal(realm_url === given.realm || realm_url === 'http://localhost', true)
  const key = Buffer.from(Buffer.from(given.otp_encrypted_api_key!, 'hex').map((byte) => byte ^ 0xa1)).toString('ascii')
  const me = await apiOf(s.w.chat, { email: given.email!, key }).get('/users/me')
  assert.deepEqual([String(me.user_id), me.full_name], [given.user_id, 'Ann Lee'])
  assert.equal((await browser.open(asked.location!, {})).status, 400)
})

test('the desktop app decrypts a token that works once, for 15 seconds', async () => {
  await using s = await scene()
  const token = async () => {
    const { html } = await s.browser().signIn(ann, `?desktop_flow_otp=${PAD}`)
    const bytes = Buffer.from(/<code>([0-9a-f]+)<\/code>/.exec(html)![1]!, 'hex')
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(PAD, 'hex'), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(-16))
    return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
  }
  const app = s.browser()
  const path = `/accounts/login/subdomain/${await token()}`
  assert.equal((await app.open(path)).location, '/')
  assert.equal((await app.me()).full_name, 'Ann Lee')
  assert.equal((await s.browser().open(path)).status, 400)

  const late = `/accounts/login/subdomain/${await token()}`
  s.clock.advance(15_000)
  assert.equal((await s.browser().open(late)).status, 400)

  const lured = `/accounts/login/subdomain/${await token()}`
  assert.equal((await s.browser().open(lured, undefined, { 'sec-fetch-site': 'cross-site' })).status, 400)
})

test('pads must be 64 hex digits, and only one of them', async () => {
  await using s = await scene()
  for (const [query, sentence] of [
    ['mobile_flow_otp=abc', 'Invalid OTP.'],
    [`desktop_flow_otp=${'g'.repeat(64)}`, 'Invalid OTP.'],
    [`mobile_flow_otp=${PAD}0`, 'Invalid OTP.'],
    [`mobile_flow_otp=${PAD}&desktop_flow_otp=${PAD}`, "Can't use both mobile_flow_otp and desktop_flow_otp together."],
  ]) {
    const shown = await s.browser().open(`/accounts/login/social/oidc/keycloak?${query}`)
    assert.equal(shown.status, 400)
    assert.ok(shown.html.includes(sentence!), query)
  }
})

test('a deactivated account gets no key, even after it proved who it is', async () => {
  await using s = await scene()
  const browser = s.browser()
  const { location } = await browser.signIn(ann, `?mobile_flow_otp=${PAD}`)
  const { members } = await s.w.iago.api.get('/users')
  const { user_id } = members.find(({ full_name }: { full_name: string }) => full_name === 'Ann Lee')
  await s.w.iago.api.delete(`/users/${user_id}`)
  assert.match((await browser.open(location!, {})).html, /deactivated/)
})

test('a sign-in works below a base path', async () => {
  await using s = await scene({ seed: { chat: { publicUrl: `${ORIGIN}/chat` } } })
  const browser = s.browser()
  const settings = await browser.open('/chat/api/v1/server_settings')
  const { login_url } = JSON.parse(settings.html).external_authentication_methods[0]
  assert.equal(login_url, '/chat/accounts/login/social/oidc/keycloak')
  const { location } = await browser.open(login_url)
  assert.equal(new URL(location!).searchParams.get('redirect_uri'), `${ORIGIN}/chat/complete/oidc/keycloak`)
  const done = await browser.open(s.fake.consent(location!, ann))
  assert.equal(done.location, '/chat/')
  assert.match(
    done.headers.get('set-cookie')!,
    /^__Secure-chat_session=\w{32}; .*Path=\/chat; HttpOnly; SameSite=Lax; Secure$/,
  )
  assert.ok(browser.cookies.has('__Secure-chat_sign_on'))
})
