import assert from 'node:assert/strict'
import { request } from 'node:http'
import test from 'node:test'
import { signOnOptions } from '../../bin/sign-on-file.ts'
import { readSignOn } from '../../src/core/accounts/providers/config.ts'
import { manualClock } from '../../src/core/kernel/base/clock.ts'
import { createApp } from '../../src/http/app.ts'
import { apiOf, testServer, type World, type WorldSeed, world } from '../../src/testing/index.ts'
import { browserOf, ORIGIN } from './scene.ts'

const PROXY = '10.0.0.5'
const SSO = '/accounts/login/sso/'
const PAD = 'a1'.repeat(32)

interface Options {
  userHeader?: string
  /** The member `proxy` of the file. */
  proxy?: object
  /** Other members of it. */
  file?: object
  trustProxy?: readonly string[] | boolean
  seed?: WorldSeed
}

/** A server behind a proxy that signs people in, and says so in headers. */
async function behindProxy({ userHeader = 'X-Remote-User:X-Remote-Groups', proxy, file, ...options }: Options = {}) {
  const warnings: string[] = []
  const logger = { info() {}, error() {}, warn: (_: object, message: string) => void warnings.push(message) }
  const config = { providers: [], ...(proxy && { proxy }), ...file }
  const chat = { publicUrl: ORIGIN, logger, signOn: { userHeader, config } }
  const w: World = await world({ ...options.seed, chat } as WorldSeed, manualClock())
  const app = createApp({ chat: w.chat, publicUrl: ORIGIN, trustProxy: options.trustProxy ?? [PROXY] })
  /** A browser whose requests arrive from this address. */
  const browser = (address: string | null = PROXY) => {
    const opened = browserOf((request) => {
      if (address !== null) Object.defineProperty(request, 'ip', { value: address })
      return app.fetch(request)
    })
    return {
      ...opened,
      signIn: (user: string, { groups, query = '' }: { groups?: string; query?: string } = {}) =>
        opened.open(`${SSO}${query}`, undefined, {
          'x-remote-user': user,
          ...(groups !== undefined && { 'x-remote-groups': groups }),
        }),
    }
  }
  return { w, warnings, browser, api: apiOf(w.chat), [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() }
}

const creating = { create: 'allowed_domains' }

test('the person whom the proxy names is signed in, with a session like any other', async () => {
  await using s = await behindProxy()
  const { hamlet } = s.w
  const browser = s.browser()
  const { status, location } = await browser.signIn(hamlet.email.toUpperCase())
  assert.deepEqual([status, location], [302, '/'])
  assert.equal((await browser.me()).user_id, hamlet.id)
  const { entries } = await s.w.iago.api.get('/audit', { actor_id: hamlet.id })
  assert.deepEqual(
    (entries as { action: string; after: object }[]).map(({ action, after }) => [action, after]),
    [
      ['signIn', { by: 'sign-on with the proxy', kind: 'session' }],
      ['linkIdentity', { provider: 'proxy', identity_email: hamlet.email.toUpperCase() }],
    ],
  )
  // The header is read on this page only: signing out is signing out, whatever the proxy adds to other requests.
  const named = { 'x-remote-user': hamlet.email, 'x-requested-with': 'test' }
  const thief = s.browser()
  thief.cookies.set('__Host-chat_session', browser.session()!)
  const { api_keys } = JSON.parse((await browser.open('/json/users/me/api_keys')).html)
  assert.equal(api_keys.find(({ current }: { current: boolean }) => current).kind, 'session')
  assert.equal((await browser.end(named)).status, 200)
  assert.match((await thief.open('/json/users/me', undefined, named)).html, /Invalid API key/)
  assert.match((await browser.open('/json/users/me', undefined, named)).html, /Not logged in/)
  // And the proxy signs in again, to the same account after its address changed.
  await s.w.iago.api.patch(`/users/${hamlet.id}`, { new_email: 'prince@example.com' })
  assert.equal((await browser.signIn(hamlet.email)).status, 302)
  assert.equal((await browser.me()).user_id, hamlet.id)
})

test('apps find it, and get a key', async () => {
  await using s = await behindProxy({ proxy: { display_name: 'Company login' } })
  const settings = await s.api.get('/server_settings')
  const method = {
    name: 'remoteuser',
    display_name: 'Company login',
    display_icon: null,
    login_url: SSO,
    signup_url: SSO,
  }
  assert.deepEqual(settings.external_authentication_methods, [method])
  assert.deepEqual([settings.authentication_methods.remoteuser, settings.authentication_methods.password], [true, true])
  const browser = s.browser()
  const { location } = await browser.signIn(s.w.hamlet.email, { query: `?mobile_flow_otp=${PAD}` })
  assert.match(location!, /^\/accounts\/login\/app\?step=/)
  const handed = new URL((await browser.open(location!, {})).location!)
  assert.deepEqual([handed.searchParams.get('realm'), handed.searchParams.get('email')], [ORIGIN, s.w.hamlet.email])
  const refused = await browser.signIn(s.w.hamlet.email, { query: '?mobile_flow_otp=abc' })
  assert.match(refused.html, /Invalid OTP/)
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/%2f/evil.example'])
    assert.equal((await browser.signIn(s.w.hamlet.email, { query: `?${new URLSearchParams({ next })}` })).location, '/')
  assert.equal((await browser.signIn(s.w.hamlet.email, { query: '?next=/%23inbox' })).location, '/#inbox')
})

test('attack: the header from anywhere but the proxy is nothing, and one line in the log', async () => {
  await using s = await behindProxy()
  for (const address of ['10.0.0.6', '203.0.113.9', null]) {
    for (let i = 0; i < 3; i++) {
      const browser = s.browser(address)
      const shown = await browser.signIn(s.w.hamlet.email)
      assert.equal(shown.status, 400)
      assert.match(shown.html, /identify you/)
      assert.equal(browser.session(), undefined)
    }
  }
  assert.equal(s.warnings.length, 3)
  assert.match(s.warnings[0]!, /^10\.0\.0\.6 sends the header x-remote-user, which is ignored/)
  // Forwarded headers say who the client is, and not who the proxy is.
  const forwarded = { 'x-forwarded-for': PROXY, 'x-remote-user': s.w.hamlet.email }
  assert.equal((await s.browser('203.0.113.9').open(SSO, undefined, forwarded)).status, 400)
})

test('attack: trusting every address, or none, trusts no header', async () => {
  for (const trustProxy of [true, false]) {
    await using s = await behindProxy({ trustProxy })
    assert.equal((await s.browser().signIn(s.w.hamlet.email)).status, 400)
  }
})

test('attack: the name in the address, in a form or in other spellings of the header', async () => {
  await using s = await behindProxy()
  const { email } = s.w.hamlet
  const query = new URLSearchParams({ user: email, ':proxy-user': email, 'x-remote-user': email })
  const shown = await s.browser().open(`${SSO}?${query}`)
  assert.match(shown.html, /identify you/)
  const posted = await s.browser().open(SSO, { user: email })
  assert.equal(posted.status, 405)
  for (const name of ['x_remote_user', 'remote-user', 'x-remote-users'])
    assert.equal((await s.browser().open(SSO, undefined, { [name]: email })).status, 400)
})

test('attack: other spellings of the path, which a proxy may not protect', async () => {
  await using s = await behindProxy()
  await using server = await testServer({ signOn: { userHeader: 'X-Remote-User' }, trustProxy: 'loopback' })
  const headers = { 'x-remote-user': s.w.hamlet.email }
  for (const path of [
    '/accounts/login/sso',
    '/accounts/login/%73so/',
    '/accounts//login/sso/',
    '/accounts/login/sso/;x',
  ]) {
    const shown = await s.browser().open(path, undefined, headers)
    assert.deepEqual([path, shown.location], [path, null])
  }
  const { port } = new URL(server.url)
  const statusOf = (path: string) =>
    new Promise<number>((resolve, reject) => {
      const asked = request({
        port,
        host: '127.0.0.1',
        path,
        headers: { ...headers, 'x-remote-user': server.hamlet.email },
      })
      asked.on('response', (response) => resolve(response.resume().statusCode!)).on('error', reject)
      asked.end()
    })
  for (const path of ['/x/../accounts/login/sso/', '/x/%2e%2e/accounts/login/sso/', '/accounts/login/./sso/'])
    assert.deepEqual([path, await statusOf(path)], [path, 400])
  assert.equal(await statusOf(SSO), 302)
})

test('attack: two headers, and what is no address', async () => {
  await using s = await behindProxy({ proxy: creating })
  const { email } = s.w.hamlet
  const bad = [`evil@example.com, ${email}`, `${email},`, `${email} `.repeat(2), 'hamlet', '', ' ', '@', `<${email}>`]
  for (const user of [...bad, 'EXAMPLE\\hamlet', `h\u00e4mlet@example.com`, `${'a'.repeat(300)}@example.com`]) {
    const shown = await s.browser().signIn(user)
    assert.deepEqual([user, shown.status], [user, 400])
  }
})

test('names without an address get the domain of the file', async () => {
  await using s = await behindProxy({ proxy: { domain: 'example.com' } })
  const { hamlet } = s.w
  assert.equal(hamlet.email, 'hamlet@example.com')
  const browser = s.browser()
  assert.equal((await browser.signIn('Hamlet')).status, 302)
  assert.equal((await browser.me()).user_id, hamlet.id)
  for (const user of ['hamlet@evil.example', 'ham let', 'a,hamlet', '.hamlet', 'hamlet\\x'])
    assert.deepEqual([user, (await s.browser().signIn(user)).status], [user, 400])
})

test('an account is created only if the file says so, and within the rules for addresses', async () => {
  await using s = await behindProxy()
  assert.match((await s.browser().signIn('ann@example.com')).html, /ask an administrator to invite you/i)
  await using c = await behindProxy({
    proxy: { ...creating, trusted_domains: ['example.com'], groups: { staff: 'Staff' }, roles: { boss: 'moderator' } },
  })
  const { iago } = c.w
  await iago.api.post('/user_groups/create', { name: 'Staff', description: '', members: [] })
  const browser = c.browser()
  assert.equal((await browser.signIn('ann.lee@example.com', { groups: 'staff|boss, other' })).status, 302)
  const me = await browser.me()
  assert.deepEqual([me.full_name, me.delivery_email, me.role], ['ann.lee', 'ann.lee@example.com', 300])
  const members = async () => {
    const { user_groups } = await iago.api.get('/user_groups')
    return user_groups.find(({ name }: { name: string }) => name === 'Staff').members
  }
  assert.deepEqual(await members(), [me.user_id])
  // A missing header changes nothing, and an empty one removes the groups.
  await c.browser().signIn('ann.lee@example.com')
  assert.deepEqual(await members(), [me.user_id])
  await c.browser().signIn('ann.lee@example.com', { groups: '' })
  assert.deepEqual(await members(), [])
  assert.match((await c.browser().signIn('eve@evil.example')).html, /invite you/)
  // Two simultaneous first sign-ins make one account.
  const both = [c.browser(), c.browser()]
  await Promise.all(both.map((one) => one.signIn('bob@example.com')))
  assert.deepEqual((await both[0]!.me()).user_id, (await both[1]!.me()).user_id)
})

test('deactivated accounts and bots stay out', async () => {
  await using s = await behindProxy()
  const { hamlet, iago } = s.w
  await hamlet.api.post('/bots', { full_name: 'Robot', short_name: 'robot' })
  const { bots } = await hamlet.api.get('/bots')
  assert.match((await s.browser().signIn(bots[0].username)).html, /invite you/)
  await iago.api.delete(`/users/${hamlet.id}`)
  assert.match((await s.browser().signIn(hamlet.email)).html, /deactivated/)
})

test('an owner for emergencies keeps the password', async () => {
  await using s = await behindProxy({ file: { passwords: 'break_glass', break_glass: ['iago@example.com'] } })
  const { iago, hamlet } = s.w
  const browser = s.browser()
  const { location } = await browser.signIn(iago.email)
  assert.match(location!, /\/accounts\/login\/link/)
  assert.equal((await browser.open(location!, { username: iago.email, password: iago.password })).location, '/')
  const { code } = await s.api.post('/fetch_api_key', { username: hamlet.email, password: hamlet.password })
  assert.equal(code, 'PASSWORD_AUTH_DISABLED')
})

test('without --user-header the page says so', async () => {
  await using w = await world()
  const app = createApp({ chat: w.chat, trustProxy: [PROXY] })
  const shown = await app.fetch(new Request(`http://localhost${SSO}`, { headers: { 'x-remote-user': w.hamlet.email } }))
  assert.equal(shown.status, 400)
  assert.match(await shown.text(), /no such sign-in service/)
  assert.equal((await apiOf(w.chat).get('/server_settings')).authentication_methods.remoteuser, false)
})

for (const userHeader of [
  '',
  ':',
  'x remote',
  'a:b:c',
  'x-user:x-user',
  'Cookie',
  'Authorization',
  'Host',
  'X-Forwarded-For',
  'ü',
]) {
  test(`--user-header ${JSON.stringify(userHeader)} is rejected`, () => {
    assert.throws(() => readSignOn({ providers: [] }, userHeader), /^Error: --user-header/)
  })
}

test('the options go together', async () => {
  const given = { userHeader: 'X-Remote-User', trustProxy: 'loopback' } as const
  assert.deepEqual(await signOnOptions(given), { userHeader: 'X-Remote-User' })
  await assert.rejects(signOnOptions({ ...given, trustProxy: false }), /needs --trust-proxy/)
  assert.throws(() => readSignOn({ providers: [], proxy: {} }), /"proxy" needs --user-header/)
  assert.throws(() => readSignOn({ providers: [], proxy: { realm: 'x' } }, 'x-user'), /"proxy\.realm" is unknown/)
})
