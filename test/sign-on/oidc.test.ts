import assert from 'node:assert/strict'
import test from 'node:test'
import { fakeProvider } from './fake-provider.ts'
import { ann, keycloak, ORIGIN, scene } from './scene.ts'

const reason = /<p role="alert">([^<]*)<\/p>/

test('a person signs in with a provider, and gets an account with name, address and default channels', async () => {
  await using s = await scene()
  const browser = s.browser()
  const address = new URL(await browser.start())
  assert.equal(address.origin + address.pathname, 'https://id.example.com/authorize')
  const params = Object.fromEntries(address.searchParams)
  assert.deepEqual(
    [params.client_id, params.scope, params.code_challenge_method, params.response_mode, params.redirect_uri],
    ['chat', 'openid email profile', 'S256', 'query', `${ORIGIN}/complete/oidc/keycloak`],
  )
  assert.match(params.state!, /^\w{32}$/)
  assert.match(params.nonce!, /^\w{32}$/)
  const shown = await browser.open(s.fake.consent(address.href, ann))
  assert.deepEqual([shown.status, shown.location], [302, '/'])
  assert.match(browser.session()!, /^\w{32}$/)
  const me = await browser.me()
  assert.deepEqual([me.full_name, me.delivery_email, me.role], ['Ann Lee', 'ann@example.com', 400])
  const { html } = await browser.open('/json/users/me/subscriptions')
  assert.deepEqual(
    JSON.parse(html).subscriptions.map(({ name }: { name: string }) => name),
    ['general'],
  )
})

test('the same person comes back by subject with another address and name', async () => {
  await using s = await scene()
  const first = s.browser()
  await first.signIn(ann)
  const { user_id } = await first.me()
  const again = s.browser()
  await again.signIn({ ...ann, email: 'ann.lee@elsewhere.example', email_verified: false, name: 'Ann Smith' })
  const me = await again.me()
  assert.deepEqual([me.user_id, me.full_name, me.delivery_email], [user_id, 'Ann Lee', 'ann@example.com'])
})

test('claims that the ID token lacks come from the userinfo endpoint', async () => {
  await using s = await scene()
  s.fake.later = ['email', 'email_verified', 'name']
  const browser = s.browser()
  await browser.signIn(ann)
  assert.equal((await browser.me()).full_name, 'Ann Lee')
  assert.ok(s.fake.asked.includes('/userinfo'))
})

test('each sign-in is in the audit log, and begins a session of its own', async () => {
  await using s = await scene()
  const browser = s.browser()
  await browser.signIn(ann)
  const before = browser.session()
  await browser.signIn(ann)
  assert.notEqual(browser.session(), before)
  const { entries } = await s.w.iago.api.get('/audit', { num: 10 })
  const acts = (entries as { action: string; after: unknown }[]).map(({ action, after }) => [action, after])
  assert.deepEqual(acts.filter(([action]) => action === 'signIn')[0], [
    'signIn',
    { by: 'sign-on with keycloak', kind: 'session' },
  ])
  assert.ok(acts.some(([action]) => action === 'createUserBySignOn'))
})

test('the answer works once, even if the provider would accept it again', async () => {
  await using s = await scene()
  s.fake.forgetful = true
  const browser = s.browser()
  const back = s.fake.consent(await browser.start(), ann)
  assert.equal((await browser.open(back)).status, 302)
  const second = await browser.open(back)
  assert.equal(second.status, 400)
  assert.match(reason.exec(second.html)![1]!, /^This sign-in has expired/)
})

test('an answer for one browser is worthless in another', async () => {
  await using s = await scene()
  const [attacker, victim] = [s.browser(), s.browser()]
  const back = s.fake.consent(await attacker.start(), ann)
  assert.equal((await victim.open(back)).status, 400)
  await victim.start()
  const shown = await victim.open(back)
  assert.deepEqual([shown.status, victim.session()], [400, undefined])
  // A query doesn't replace the cookie.
  const planted = `${back}&cookie=${encodeURIComponent(`__Host-chat_sign_on=${attacker.cookies.get('__Host-chat_sign_on')}`)}`
  assert.equal((await s.browser().open(planted)).status, 400)
  assert.equal((await attacker.open(back)).status, 302)
})

test('a cookie from before the sign-in is not the session after it', async () => {
  await using s = await scene()
  const browser = s.browser()
  const { key } = s.w.hamlet
  browser.cookies.set('__Host-chat_session', key)
  await browser.signIn(ann)
  assert.notEqual(browser.session(), key)
  assert.equal((await browser.me()).full_name, 'Ann Lee')
})

test('an answer of another provider is rejected: the mix-up attack', async () => {
  const evil = {
    ...keycloak,
    name: 'evil',
    issuer: 'https://evil.example',
    trusted_domains: [] as string[],
    create: 'never',
  }
  await using s = await scene({
    others: [{ config: evil, fake: (now) => fakeProvider({ issuer: 'https://evil.example', now }) }],
  })
  const browser = s.browser()
  const back = new URL(s.fake.consent(await browser.start(), ann))
  const swapped = new URL(back)
  swapped.pathname = '/complete/oidc/evil'
  assert.equal((await browser.open(swapped.href)).status, 400)
  const other = new URL(s.fakes[1]!.consent(await browser.start(), ann))
  const shown = await browser.open(other.href)
  assert.deepEqual([shown.status, browser.session()], [400, undefined])
  assert.match(shown.html, /invalid answer/)
  assert.ok(!s.fake.asked.includes('/token'))
})

const wrong: Readonly<Record<string, (claims: Record<string, unknown>) => Record<string, unknown>>> = {
  'another nonce': (claims) => ({ ...claims, nonce: 'other' }),
  'no nonce': ({ nonce: _, ...claims }) => claims,
  'another audience': (claims) => ({ ...claims, aud: 'other' }),
  'another issuer': (claims) => ({ ...claims, iss: 'https://evil.example' }),
  'an end in the past': (claims) => ({ ...claims, exp: Number(claims.iat) - 120 }),
  'a beginning in the future': (claims) => ({ ...claims, nbf: Number(claims.iat) + 120 }),
  'no subject': ({ sub: _, ...claims }) => claims,
}
for (const [what, change] of Object.entries(wrong)) {
  test(`an ID token with ${what} is rejected`, async () => {
    await using s = await scene()
    s.fake.change = change
    const browser = s.browser()
    const shown = await browser.signIn(ann)
    assert.deepEqual([shown.status, browser.session()], [400, undefined])
    assert.match(reason.exec(shown.html)![1]!, /^The sign-in service sent an invalid answer/)
    assert.match(s.warnings().join(), /a sign-in failed: /)
  })
}

test('clocks may differ by a minute', async () => {
  await using s = await scene()
  for (const by of [-59, 59]) {
    s.fake.change = (claims) => ({
      ...claims,
      iat: Number(claims.iat) + by,
      nbf: Number(claims.iat) + by,
      exp: Number(claims.iat) + by + 30,
    })
    assert.equal((await s.browser().signIn(ann)).status, 302)
  }
})

test('a rotated key is found, and a token of an unknown key is rejected', async () => {
  await using s = await scene()
  assert.equal((await s.browser().signIn(ann)).status, 302)
  s.fake.rotateKey()
  assert.equal((await s.browser().signIn(ann)).status, 302)
  const back = s.browser()
  const address = await back.start()
  s.fake.failing = ({ url }) => (url.endsWith('/jwks') ? { status: 200, body: { keys: [] } } : undefined)
  assert.equal((await back.open(s.fake.consent(address, ann))).status, 400)
})

test('refusals of the provider are pages with a sentence, and its own words are only logged', async () => {
  await using s = await scene()
  for (const [error, sentence] of [
    ['access_denied', 'The sign-in was canceled.'],
    ['<script>', 'The sign-in service sent an invalid answer. Start again.'],
  ] as const) {
    const browser = s.browser()
    const state = new URL(await browser.start()).searchParams.get('state')!
    const { html, status } = await browser.open(
      `/complete/oidc/keycloak?${new URLSearchParams({ error, state, iss: s.fake.issuer })}`,
    )
    assert.deepEqual([status, reason.exec(html)![1]], [400, sentence])
    assert.ok(!html.includes('<script>'))
  }
  const browser = s.browser()
  await browser.start()
  for (const query of ['', '?code=x', '?state=x&code=x']) {
    assert.equal((await browser.open(`/complete/oidc/keycloak${query}`)).status, 400)
  }
  assert.equal((await browser.open('/accounts/login/social/oidc/nobody')).status, 400)
})

test('a sign-in that takes too long has expired', async () => {
  await using s = await scene()
  const browser = s.browser()
  const back = s.fake.consent(await browser.start(), ann)
  s.clock.advance(600_000)
  assert.match((await browser.open(back)).html, /has expired/)
})

test('a state sent twice with different values is rejected', async () => {
  await using s = await scene()
  const browser = s.browser()
  const back = s.fake.consent(await browser.start(), ann)
  assert.equal((await browser.open(`${back}&state=other`)).status, 400)
})

test('an issuer that is missing or different in the answer is rejected', async () => {
  await using s = await scene()
  for (const iss of [undefined, 'https://evil.example']) {
    const browser = s.browser()
    const back = new URL(s.fake.consent(await browser.start(), ann))
    if (iss === undefined) back.searchParams.delete('iss')
    else back.searchParams.set('iss', iss)
    assert.equal((await browser.open(back.href)).status, 400)
    assert.equal(browser.session(), undefined)
  }
})

test('a provider that describes itself as another is rejected', async () => {
  await using s = await scene()
  s.fake.metadata = { issuer: 'https://evil.example' }
  const shown = await s.browser().open('/accounts/login/social/oidc/keycloak')
  assert.deepEqual(
    [shown.status, reason.exec(shown.html)![1]],
    [400, 'The sign-in service is not answering. Try again in a few minutes.'],
  )
  assert.match(s.warnings().join(), /doesn't describe itself/)
})

test('userinfo of another subject is rejected', async () => {
  await using s = await scene()
  s.fake.later = ['email']
  s.fake.failing = ({ url }) =>
    url.endsWith('/userinfo') ? { status: 200, body: { ...ann, sub: 'other' } } : undefined
  assert.equal((await s.browser().signIn(ann)).status, 400)
})

test('leads only to paths of this server after the sign-in', async () => {
  await using s = await scene()
  const paths: readonly (readonly [string, string])[] = [
    ['/#narrow/channel/1', '/#narrow/channel/1'],
    ['/user_uploads/1/a.png?x=1', '/user_uploads/1/a.png?x=1'],
    ...[
      '//evil.example',
      '/\\evil.example',
      '/%2f-evil.example',
      '/%5C-evil.example',
      'https://evil.example',
      'evil.example',
    ].map((path) => [path, '/'] as const),
    ...['/\t/evil.example', '/\n/evil.example', 'javascript:alert(1)', '@evil.example', '\\\\evil.example', ''].map(
      (path) => [path, '/'] as const,
    ),
    [`/${'a'.repeat(3000)}`, '/'],
    ['/..//evil.example', '/'],
    ['/./%2f-evil.example', '/'],
  ]
  for (const [next, expected] of paths) {
    const { location } = await s.browser().signIn(ann, `?${new URLSearchParams({ next })}`)
    const at = new URL(location!, ORIGIN)
    assert.equal(at.origin, ORIGIN, next)
    assert.equal(location, expected, next)
  }
})
