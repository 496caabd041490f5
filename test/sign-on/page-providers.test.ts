import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type Person } from '../../src/testing/index.ts'
import { PASSWORD } from '../../src/testing/person.ts'
import { browser, login } from '../accounts/passkey-browser.ts'
import { eventually } from '../eventually.ts'
import { fakeProvider } from './fake-provider.ts'
import { ann, type Browser, ORIGIN, type Scene, scene } from './scene.ts'

const ISSUER = 'https://login.example.org'
const company = { issuer: ISSUER, client_id: 'chat', trusted_domains: ['example.com'], create: 'allowed_domains' }
const open = (more: Parameters<typeof scene>[0] = {}) =>
  scene({ elsewhere: [(now) => fakeProvider({ issuer: ISSUER, now })], ...more })
const add = (api: Person['api'], provider: object = company, client_secret: string | undefined = 'a secret') =>
  api.post('/sign_on/providers', {
    name: 'company',
    password: PASSWORD,
    provider,
    ...(client_secret && { client_secret }),
  })
const list = async (api: Person['api']) => (await api.get('/sign_on/providers')).providers
/** The page in a browser that is signed in. */
const pageOf = (s: Scene, { cookies }: Browser) => browser(s.w, {}, cookies)
const there = (s: Scene) => s.fakes[1]!

/** Signs in with the provider of the page. */
async function signIn(s: Scene, claims: object = ann) {
  const browser = s.browser()
  const shown = await browser.open(there(s).consent(await browser.start('', 'company'), { ...claims }))
  return { browser, shown }
}

test('a provider from the page signs people in immediately, and is in the list of clients', async () => {
  await using s = await open()
  const { iago } = s.w
  assert.equal((await s.browser().open('/accounts/login/social/oidc/company')).status, 400)
  const added = await add(iago.api)
  assert.equal(added.status, 200)
  const { browser } = await signIn(s)
  assert.equal((await browser.me()).full_name, 'Ann Lee')
  const methods = async () =>
    (await apiOf(s.w.chat).get('/server_settings')).external_authentication_methods.map(
      ({ display_name }: { display_name: string }) => display_name,
    )
  assert.deepEqual(await methods(), ['Company login', 'company'])

  const changed = { ...company, display_name: 'Our people', create: 'never' }
  assert.equal(
    (await iago.api.patch(`/sign_on/providers/${added.id}`, { password: PASSWORD, provider: changed })).status,
    200,
  )
  assert.deepEqual(await methods(), ['Company login', 'Our people'])
  const bob = { sub: 'subject-2', email: 'bob@example.com', email_verified: true, name: 'Bob' }
  assert.match((await signIn(s, bob)).shown.html, /You don't have an account here/)
  assert.equal((await (await signIn(s)).browser.me()).full_name, 'Ann Lee')

  assert.equal((await iago.api.delete(`/sign_on/providers/${added.id}`, { password: PASSWORD })).status, 200)
  assert.deepEqual(await methods(), ['Company login'])
  assert.match((await s.browser().open('/accounts/login/social/oidc/company')).html, /no such sign-in service/)
  assert.equal((await browser.me()).full_name, 'Ann Lee')
})

test('the list has the providers of the file and of the page, and no secret', async () => {
  await using s = await open()
  const { iago } = s.w
  await add(iago.api)
  const answer = await iago.api.get('/sign_on/providers')
  assert.ok(!JSON.stringify(answer).includes('a secret'))
  assert.equal(answer.available, true)
  const [file, page] = answer.providers
  assert.deepEqual(
    [file.id, file.name, file.has_client_secret, file.provider.client_secret, file.redirect_uri],
    [null, 'keycloak', true, undefined, `${ORIGIN}/complete/oidc/keycloak`],
  )
  assert.deepEqual(
    [page.name, page.has_client_secret, page.logout_uri, page.provider.issuer, page.problem],
    ['company', true, `${ORIGIN}/oidc/company/backchannel`, ISSUER, null],
  )
  const row = await storeOf(s.w.chat).db.selectFrom('sign_on_provider').selectAll().executeTakeFirstOrThrow()
  assert.ok(!JSON.stringify(row).includes('a secret'))
  assert.ok(answer.presets.some(({ name }: { name: string }) => name === 'entra'))
})

test('each change is in the audit log, without the secret', async () => {
  await using s = await open()
  const { iago } = s.w
  const { id } = await add(iago.api)
  await iago.api.patch(`/sign_on/providers/${id}`, { password: PASSWORD, provider: company, client_secret: 'another' })
  await iago.api.delete(`/sign_on/providers/${id}`, { password: PASSWORD })
  const { entries } = await iago.api.get('/audit', { num: 10 })
  const acts = (entries as { action: string; before: unknown; after: unknown }[]).filter(({ action }) =>
    action.endsWith('SignOnProvider'),
  )
  assert.deepEqual(
    acts.map(({ action }) => action),
    ['removeSignOnProvider', 'updateSignOnProvider', 'createSignOnProvider'],
  )
  assert.deepEqual(acts[1]!.after, { client_secret: '(hidden)' })
  assert.equal((acts[2]!.after as { issuer: string }).issuer, ISSUER)
  assert.ok(!JSON.stringify(acts).includes('a secret') && !JSON.stringify(acts).includes('another'))
})

test('only owners see and change providers', async () => {
  await using s = await open({ seed: { people: { adam: { role: 'administrator' } } } })
  const { iago, adam } = s.w as Scene['w'] & { adam: Person }
  const { id } = await add(iago.api)
  for (const answer of [
    await adam.api.get('/sign_on/providers'),
    await add(adam.api),
    await adam.api.patch(`/sign_on/providers/${id}`, { password: PASSWORD, provider: company }),
    await adam.api.delete(`/sign_on/providers/${id}`, { password: PASSWORD }),
    await adam.api.post('/sign_on/providers/test', { name: 'company' }),
  ])
    assert.equal(answer.code, 'UNAUTHORIZED_PRINCIPAL')
})

for (const [what, provider, field, sentence] of [
  ['an issuer without HTTPS', { ...company, issuer: 'http://login.example.org' }, 'issuer', /must be an address with/],
  ['no client ID', { issuer: ISSUER }, 'client_id', /"client_id" is missing/],
  ['an unknown member', { ...company, color: 'red' }, 'color', /"color" is unknown/],
  ['a file of the server', { ...company, client_secret_file: '/etc/passwd' }, 'client_secret_file', /is unknown/],
  ['a secret among the members', { ...company, client_secret: 'x' }, 'client_secret', /is unknown/],
  ['owners by claims', { ...company, roles: { admins: 'owner' } }, 'roles', /must be one of administrator/],
  ['accounts for no domain', { ...company, trusted_domains: [] }, 'create', /needs "trusted_domains"/],
  [
    'a tenant of everybody',
    { ...company, preset: 'entra', issuer: 'https://login.microsoftonline.com/common/v2.0' },
    'issuer',
    /must look like/,
  ],
  ['GitHub with groups', { preset: 'github', client_id: 'x', groups: { a: 'b' } }, 'provider', /GitHub has no claims/],
] as const) {
  test(`a provider with ${what} is rejected beside its field`, async () => {
    await using s = await open()
    const answer = await add(s.w.iago.api, provider)
    assert.equal(answer.status, 400)
    assert.match(answer.msg, sentence)
    assert.deepEqual(Object.keys(answer.errors), [field])
  })
}

test('names are unique, also among the providers of the file, and some are reserved', async () => {
  await using s = await open()
  const { api } = s.w.iago
  await add(api)
  for (const name of ['company', 'keycloak', 'ldap', 'Upper', '', 'a/b'])
    assert.equal(
      (await api.post('/sign_on/providers', { password: PASSWORD, name, provider: company })).status,
      400,
      name,
    )
  assert.equal((await list(api)).length, 2)
})

test('a stored secret is never sent to another issuer', async () => {
  await using s = await open()
  const { api } = s.w.iago
  const { id } = await add(api)
  const other = { ...company, issuer: 'https://evil.example' }
  const changed = await api.patch(`/sign_on/providers/${id}`, { password: PASSWORD, provider: other })
  assert.deepEqual(Object.keys(changed.errors), ['client_secret'])
  const tested = await api.post('/sign_on/providers/test', { name: 'company', provider: other })
  assert.deepEqual(Object.keys(tested.errors), ['client_secret'])
  assert.equal(
    (await api.patch(`/sign_on/providers/${id}`, { password: PASSWORD, provider: other, client_secret: 'new' })).status,
    200,
  )
})

test('people of a domain can be required to use the provider, except for emergency accounts', async () => {
  await using s = await open()
  const { iago, hamlet } = s.w
  const signIn = async ({ email, password }: Person) =>
    (await apiOf(s.w.chat).post('/fetch_api_key', { username: email, password })).code
  const required = { ...company, required_for: ['example.com'] }
  const refused = await add(iago.api, required)
  assert.match(refused.msg, /No owner could sign in anymore/)
  assert.equal(await signIn(hamlet), undefined)
  const { id } = await add(iago.api, { ...required, break_glass: [iago.email.toUpperCase()] })
  assert.equal(await signIn(hamlet), 'PASSWORD_AUTH_DISABLED')
  assert.equal(await signIn(iago), undefined)
  const changed = await iago.api.patch(`/sign_on/providers/${id}`, { password: PASSWORD, provider: required })
  assert.match(changed.msg, /No owner could sign in anymore/)
  await iago.api.delete(`/sign_on/providers/${id}`, { password: PASSWORD })
  assert.equal(await signIn(hamlet), undefined)
})

test("the page can't turn on passwords that the file turned off", async () => {
  await using s = await open({ file: { passwords: 'break_glass', break_glass: ['iago@example.com'] } })
  const { iago, hamlet } = s.w
  await add(iago.api, { ...company, break_glass: [hamlet.email] })
  const answer = await apiOf(s.w.chat).post('/fetch_api_key', { username: hamlet.email, password: hamlet.password })
  assert.equal(answer.code, 'PASSWORD_AUTH_DISABLED')
})

test('rejects changes that would lock out all owners', async () => {
  await using s = await open()
  const { iago } = s.w
  const { id } = await add(iago.api)
  const { db } = storeOf(s.w.chat)
  const write = storeOf(s.w.chat).write
  await write(async (tx) => {
    await tx.db.updateTable('user').set({ email_verified_at: 1 }).where('id', '=', iago.id).execute()
  })
  const session = pageOf(s, (await signIn(s, { ...ann, email: iago.email })).browser)
  await write(async (tx) => {
    await tx.db.updateTable('user').set({ password_hash: null }).where('id', '=', iago.id).execute()
  })
  assert.equal((await db.selectFrom('identity').select('id').execute()).length, 1)
  assert.match((await session.ask('DELETE', `/sign_on/providers/${id}`)).msg, /No owner could sign in anymore/)
  for (const change of [{ provider: { ...company, client_id: 'x' } }, { provider: company, client_secret: 'x' }])
    assert.match((await session.ask('PATCH', `/sign_on/providers/${id}`, change)).msg, /No owner could sign in anymore/)
  // What can't break the sign-in may change.
  const renamed = await session.ask('PATCH', `/sign_on/providers/${id}`, {
    provider: { ...company, display_name: 'Us' },
  })
  assert.equal(renamed.status, 200)
  assert.equal((await list(iago.api)).length, 2)
})

test('a removed provider that failed is no problem anymore', async () => {
  await using s = await open()
  const { api } = s.w.iago
  const { id } = await add(api)
  there(s).failing = () => ({ status: 500 })
  await s.browser().open('/accounts/login/social/oidc/company')
  await eventually('the problem is stored', async () => /status 500/.test((await list(api))[1].problem ?? ''))
  await api.delete(`/sign_on/providers/${id}`, { password: PASSWORD })
  assert.deepEqual(await storeOf(s.w.chat).db.selectFrom('sign_on_problem').selectAll().execute(), [])
})

test('a provider that fails after it was removed is no problem, either', async () => {
  await using s = await open()
  const { api } = s.w.iago
  const { id } = await add(api)
  const { ask } = there(s)
  there(s).ask = async () => {
    await api.delete(`/sign_on/providers/${id}`, { password: PASSWORD })
    return { status: 500, headers: {}, bytes: Buffer.from('') }
  }
  await s.browser().open('/accounts/login/social/oidc/company')
  there(s).ask = ask
  await eventually('the problem is logged', async () => s.warnings().some((line) => /status 500/.test(line)))
  // Writes are in order, so the problem would be stored before this.
  await storeOf(s.w.chat).write(async () => {})
  assert.deepEqual(await storeOf(s.w.chat).db.selectFrom('sign_on_problem').selectAll().execute(), [])
})

for (const [what, change] of [
  ['removed', (api: Person['api'], id: number) => api.delete(`/sign_on/providers/${id}`, { password: PASSWORD })],
  [
    'changed to trust nobody new',
    (api: Person['api'], id: number) =>
      api.patch(`/sign_on/providers/${id}`, { password: PASSWORD, provider: { ...company, create: 'never' } }),
  ],
] as const) {
  test(`a provider that is ${what} while it answers lets nobody in`, async () => {
    await using s = await open()
    const { api } = s.w.iago
    const { id } = await add(api)
    const { ask } = there(s)
    there(s).ask = async (request) => {
      const answer = await ask(request)
      if (request.url.endsWith('/token')) assert.equal((await change(api, id)).status, 200)
      return answer
    }
    const { browser, shown } = await signIn(s)
    assert.equal(shown.status, 400, shown.html)
    assert.equal(browser.session(), undefined)
  })
}

test('a passkey of another host name is no way in for the owners', async () => {
  await using s = await open()
  const { iago } = s.w
  const session = browser(s.w)
  await session.ask('POST', '/session', login(iago))
  await storeOf(s.w.chat).write(async ({ db }) => {
    const row = {
      ...{ user_id: iago.id, host: 'old.example.com', user_handle: 'h', name: 'Laptop', credential_id: 'c' },
      ...{ public_key: Buffer.from('k'), counter: 0, transports: '', backed_up: 0, created_at: 1, last_used_at: null },
    }
    await db
      .insertInto('passkey')
      .values(row as never)
      .execute()
  })
  assert.equal(
    (await add(iago.api, { ...company, required_for: ['example.com'], break_glass: [iago.email] })).status,
    200,
  )
  const { id } = (await list(iago.api))[1]
  await signIn(s, { ...ann, email: iago.email })
  await storeOf(s.w.chat).write(async ({ db }) => {
    await db
      .updateTable('api_key')
      .set({ confirmed_at: s.w.clock.now() / 1000 })
      .where('kind', '=', 'session')
      .execute()
    await db.updateTable('user').set({ password_hash: null }).where('id', '=', iago.id).execute()
    const { issuer } = company
    const identity = { user_id: iago.id, issuer, subject: 'i', provider: 'company', email: null }
    await db
      .insertInto('identity')
      .values({ ...identity, created_at: 1, last_used_at: 1 })
      .execute()
  })
  assert.match((await session.ask('DELETE', `/sign_on/providers/${id}`)).msg, /No owner could sign in anymore/)
})

test('a provider of the page brings nobody into private channels', async () => {
  await using s = await open()
  const { iago, hamlet } = s.w
  const made = { subscriptions: [{ name: 'incidents' }, { name: 'gardens' }], invite_only: true }
  assert.equal((await hamlet.api.post('/users/me/subscriptions', made)).status, 200)
  const opened = await hamlet.api.patch(`/streams/${await s.w.streamId('gardens')}`, { is_private: false })
  assert.equal(opened.status, 200, opened.msg)
  const subscribed = async () =>
    (await iago.api.get('/users/me/subscriptions')).subscriptions.map(({ name }: { name: string }) => name)
  assert.equal((await iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'incidents' }] })).status, 400)
  await add(iago.api, { ...company, channels: { all: ['#incidents', 'gardens'] } })
  await storeOf(s.w.chat).write(async ({ db }) => {
    await db.updateTable('user').set({ email_verified_at: 1 }).where('id', '=', iago.id).execute()
  })
  await signIn(s, { ...ann, email: iago.email, groups: ['all'] })
  assert.deepEqual((await subscribed()).toSorted(), ['gardens', 'general'])
  assert.match(s.warnings().join(), /incidents/)
})

test('two providers with one issuer know people by the same claim', async () => {
  await using s = await open()
  const { api } = s.w.iago
  const { id } = await add(api)
  const same = (claims: object) => ({ ...company, claims })
  const other = await api.post('/sign_on/providers', {
    password: PASSWORD,
    name: 'other',
    provider: same({ subject: 'nickname' }),
  })
  assert.deepEqual(Object.keys(other.errors ?? {}), ['claims'])
  assert.equal(
    (await api.post('/sign_on/providers', { password: PASSWORD, name: 'other', provider: same({ email: 'mail' }) }))
      .status,
    200,
  )
  const changed = await api.patch(`/sign_on/providers/${id}`, {
    password: PASSWORD,
    provider: same({ subject: 'nickname' }),
  })
  assert.deepEqual(Object.keys(changed.errors ?? {}), ['claims'])
})
