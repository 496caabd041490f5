import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { passkeyFindings } from '../../bin/commands/finding.ts'
import { createOrganization } from '../../src/core/accounts/create-organization.ts'
import { lostPasskeys } from '../../src/core/accounts/passkeys/stored.ts'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { completeSetUp, secretToSetUp } from '../../src/core/accounts/set-up-second-factor.ts'
import { takeOver } from '../../src/core/accounts/verified-email.ts'
import { manualClock } from '../../src/core/kernel/base/clock.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { openChat } from '../../src/index.ts'
import { apiOf, world } from '../../src/testing/index.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { authenticator } from './authenticator.ts'
import { added, auditOf, browser, login, ORIGIN, opened, signIn } from './passkey-browser.ts'

test('a passkey is added only with a confirmation, in the session that asked, and once', async () => {
  await using w = await opened()
  const { hamlet, iago } = w.people
  const made = authenticator(ORIGIN)
  const b = browser(w)
  await b.ask('POST', '/session', login(hamlet))
  // Somebody may have stolen the session.
  assert.match((await b.ask('POST', '/users/me/passkeys/options')).msg, /enter your password, or use a passkey/)
  assert.equal((await b.ask('POST', '/users/me/passkeys/options', { password: 'wrong horse' })).status, 401)
  const begin = async () => {
    const { options } = await b.ask('POST', '/users/me/passkeys/options', { password: hamlet.password })
    return options
  }
  const add = (response: string, of = b) => of.ask('POST', '/users/me/passkeys', { response, name: 'Laptop' })
  for (const flaw of [
    { origin: 'https://chat.example.org' },
    { rpId: 'chat.example.org' },
    { type: 'webauthn.get' },
    { flags: 0x41 },
    { flags: 0x44 },
    { challenge: 'AAAA' },
    { id: 'bm90IHRoaXMgb25l' },
  ])
    assert.equal((await add(made.create(await begin(), flaw))).status, 400, JSON.stringify(flaw))
  const other = browser(w)
  await other.ask('POST', '/session', login(hamlet))
  assert.equal((await add(made.create(await begin()), other)).status, 400)
  const theirs = browser(w)
  await theirs.ask('POST', '/session', login(iago))
  assert.equal((await add(made.create(await begin()), theirs)).status, 400)
  const right = made.create(await begin())
  const both = await Promise.all([add(right), add(right)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400])
  // The same credential for another account would sign in to both.
  const { options } = await theirs.ask('POST', '/users/me/passkeys/options', { password: iago.password })
  assert.match((await add(made.create(options), theirs)).msg, /belongs to an account already/)
  const again = await begin()
  assert.deepEqual(again.excludeCredentials, [{ type: 'public-key', id: made.id, transports: ['internal'] }])
  assert.deepEqual(
    again.pubKeyCredParams.map(({ alg }: { alg: number }) => alg),
    [-8, -7, -257],
  )
  assert.notEqual(Buffer.from(again.user.id, 'base64url').toString(), String(hamlet.id))
  for (const name of ['', ' ', 'x'.repeat(61)])
    assert.equal((await b.ask('POST', '/users/me/passkeys', { response: right, name })).status, 400)
})

test('passkeys are renamed and removed by their owner alone, and the last one takes the recovery codes with it', async () => {
  await using w = await opened()
  const { hamlet, iago } = w.people
  const [b, made] = [browser(w), authenticator(ORIGIN)]
  const { id } = await added(b, hamlet, made)
  const theirs = browser(w)
  await theirs.ask('POST', '/session', login(iago))
  assert.equal((await theirs.ask('PATCH', `/users/me/passkeys/${id}`, { name: 'Mine' })).msg, 'No such passkey')
  const { password } = iago
  assert.equal((await theirs.ask('DELETE', `/users/me/passkeys/${id}`, { password })).msg, 'No such passkey')
  assert.equal((await b.ask('PATCH', `/users/me/passkeys/${id}`, { name: ' Desk ' })).status, 200)
  assert.equal((await b.ask('GET', '/users/me/passkeys')).passkeys[0].name, 'Desk')
  const state = await b.ask('GET', '/users/me/second_factor')
  assert.deepEqual([state.totp, state.passkeys, state.recovery_codes_left], [false, 1, 10])
  assert.equal((await b.ask('DELETE', `/users/me/passkeys/${id}`)).status, 400)
  assert.equal((await b.ask('DELETE', `/users/me/passkeys/${id}`, { password: hamlet.password })).status, 200)
  const after = await b.ask('GET', '/users/me/second_factor')
  assert.deepEqual([after.passkeys, after.recovery_codes_left], [0, 0])
  assert.equal((await browser(w).ask('POST', '/session', login(hamlet))).status, 200)
  assert.equal((await signIn(browser(w), made)).status, 401)
  assert.equal((await auditOf(w, 'removePasskey')).length, 1)
})

test('a passkey is the second factor that the organization requires, and its owners remove a lost one', async () => {
  await using w = await opened()
  const { hamlet, iago } = w.people
  const made = authenticator(ORIGIN)
  await added(browser(w), hamlet, made)
  await iago.api.patch('/realm', { second_factor_required_for: 'members' })
  w.clock.advance(8 * 86_400_000)
  assert.equal((await signIn(browser(w), made)).status, 200)
  const asked = await browser(w).ask('POST', '/session', login(hamlet))
  assert.deepEqual(asked.methods, ['passkey', 'recovery_code'])
  assert.equal((await iago.api.delete(`/users/${hamlet.id}/second_factor`)).status, 200)
  assert.equal((await signIn(browser(w), made)).status, 401)
  assert.deepEqual((await browser(w).ask('POST', '/session', login(hamlet))).methods, ['set_up'])
  assert.equal((await auditOf(w, 'resetSecondFactor')).length, 1)
})

test('a deactivated account, and a reactivated one, keep nobody else in', async () => {
  await using w = await opened()
  const { hamlet, iago } = w.people
  const [b, made] = [browser(w), authenticator(ORIGIN)]
  await added(b, hamlet, made)
  await iago.api.delete(`/users/${hamlet.id}`)
  assert.equal((await signIn(browser(w), made)).code, 'USER_DEACTIVATED')
  await iago.api.post(`/users/${hamlet.id}/reactivate`)
  assert.equal((await signIn(browser(w), made)).status, 200)
})

test('passkeys need a public URL with HTTPS or localhost, and the Host header changes nothing', async () => {
  for (const [publicUrl, works] of [
    [undefined, false],
    ['http://chat.example.com', false],
    ['https://192.0.2.7', false],
    ['https://[2001:db8::1]', false],
    ['http://localhost:9991', true],
    ['https://chat.example.com/team', true],
  ] as const) {
    await using w = await world({ chat: publicUrl ? { publicUrl } : {} })
    const { hamlet } = w.people
    assert.equal((await hamlet.api.get('/server_settings')).passkeys, works, publicUrl)
    assert.equal((await hamlet.api.get('/users/me/passkeys')).available, works)
    const answer = await hamlet.api.post('/users/me/passkeys/options', { password: hamlet.password })
    assert.equal(answer.status, works ? 200 : 400, publicUrl)
    if (works) assert.equal(answer.options.rp.id, new URL(publicUrl).hostname)
  }
  await using w = await opened()
  const evil = browser(w, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
  assert.equal((await evil.ask('POST', '/session/passkey/options')).options.rpId, 'chat.example.com')
})

test('doctor counts the passkeys of another host name', async () => {
  await using w = await opened()
  const { id } = await added(browser(w), w.people.hamlet, authenticator(ORIGIN))
  const lost = () => lostPasskeys(contextOf(w.chat))
  assert.equal(await lost(), 0)
  const { iago } = w.people
  await iago.write(
    async ({ db }) =>
      void (await db.updateTable('passkey').set({ host: 'old.example.com' }).where('id', '=', id).execute()),
  )
  assert.equal(await lost(), 1)
  assert.deepEqual(
    [passkeyFindings(0), passkeyFindings(1).map(({ ok, detail }) => [ok, /^1 belong to another host/.test(detail)])],
    [[], [[false, true]]],
  )
})

test('a passkey that somebody left in an account dies when its owner proves the address', async () => {
  await using w = await opened()
  const { hamlet, iago } = w.people
  const made = authenticator(ORIGIN)
  await added(browser(w), hamlet, made)
  await iago.write(async (tx) => {
    await tx.db.updateTable('user').set({ email_verified_at: null }).where('id', '=', hamlet.id).execute()
    await takeOver(tx, hamlet.id)
  })
  assert.equal((await signIn(browser(w), made)).status, 401)
})

test('limited keys and passkeys survive a restart, and used challenges stay used', async () => {
  using folder = new TemporaryFolder()
  const db = join(folder.path, 'chat.db')
  const clock = manualClock()
  const open = () => openChat({ db, clock, publicUrl: ORIGIN, passwordCost: 4 })
  const made = authenticator(ORIGIN, false)
  const owner = { email: 'ann@example.com', password: 'correct horse' }
  let token = ''
  let answered = ''
  const cookies = new Map<string, string>()
  {
    await using chat = await open()
    await createOrganization(chat, {
      org: 'Elsinore',
      owner_email: owner.email,
      owner_name: 'Ann',
      owner_password: owner.password,
    })
    const b = browser({ chat })
    await b.ask('POST', '/session', { username: owner.email, password: owner.password })
    const { options } = await b.ask('POST', '/users/me/passkeys/options', { password: owner.password })
    const added = await b.ask('POST', '/users/me/passkeys', { response: made.create(options), name: 'Laptop' })
    assert.equal(added.status, 200, added.msg)
    const given = { name: 'x', scopes: ['read'], expires_in_days: 1, password: owner.password }
    token = (await b.ask('POST', '/users/me/api_keys', given)).api_key
    const other = browser({ chat }, {}, cookies)
    answered = made.get((await other.ask('POST', '/session/passkey/options')).options)
    assert.equal((await other.ask('POST', '/session/passkey', { response: answered })).status, 200)
  }
  await using chat = await open()
  const again = browser({ chat }, {}, cookies)
  assert.equal((await again.ask('POST', '/session/passkey', { response: answered })).status, 401)
  const { options } = await again.ask('POST', '/session/passkey/options')
  assert.equal((await again.ask('POST', '/session/passkey', { response: made.get(options) })).status, 200)
  const api = apiOf(chat, { email: owner.email, key: token })
  assert.equal((await api.get('/users/me')).status, 200)
  clock.advance(86_400_000)
  assert.equal((await api.get('/users/me')).status, 401)
})

test('attack: the page that sets up a required second factor is no way around a passkey', async () => {
  await using w = await opened()
  const { hamlet } = w.people
  const b = browser(w)
  await added(b, hamlet, authenticator(ORIGIN))
  const { secret } = await b.ask('POST', '/users/me/totp', { password: hamlet.password })
  const { ticket } = await browser(w).ask('POST', '/session', login(hamlet))
  const thief = contextOf(w.chat)
  await assert.rejects(secretToSetUp(thief, ticket), { code: 'AUTHENTICATION_FAILED' })
  const code = codeOf(secret, stepAt(w.clock.now() / 1000))
  await assert.rejects(completeSetUp(thief, ticket, code), { code: 'AUTHENTICATION_FAILED' })
  assert.equal((await b.ask('POST', '/users/me/totp/confirm', { code })).status, 200)
})
