import assert from 'node:assert/strict'
import test from 'node:test'
import { passkeyFindings } from '../../bin/commands/finding.ts'
import { runCommand } from '../../src/admin/commands.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type Person, type World, world } from '../../src/testing/index.ts'
import { type Authenticator, authenticator, type Flaw } from './authenticator.ts'
import { browser, ORIGIN, type TestBrowser } from './passkey-browser.ts'

// Attack tests: each answer of an authenticator is wrong in one way.

const opened = () => world({ chat: { publicUrl: ORIGIN } })
const login = ({ email, password }: Person) => ({ username: email, password })

/** Adds a passkey in a browser that has just signed in. */
async function added(b: TestBrowser, who: Person, made: Authenticator, name = 'Laptop') {
  await b.ask('POST', '/session', login(who))
  const { options } = await b.ask('POST', '/users/me/passkeys/options')
  const answer = await b.ask('POST', '/users/me/passkeys', { response: made.create(options), name })
  assert.equal(answer.status, 200, answer.msg)
  return answer
}
async function signIn(b: TestBrowser, made: Authenticator, flaw: Flaw = {}) {
  const { options } = await b.ask('POST', '/session/passkey/options')
  return b.ask('POST', '/session/passkey', { response: made.get(options, flaw) })
}
const auditOf = async (w: World, action: string) =>
  storeOf(w.chat).db.selectFrom('audit').selectAll().where('action', '=', action).execute()

test('a passkey signs in without a name, a password and a code', async () => {
  await using w = await opened()
  const { hamlet } = w.people
  const [b, made] = [browser(w), authenticator(ORIGIN)]
  const { recovery_codes, id } = await added(b, hamlet, made)
  assert.equal(recovery_codes.length, 10)
  const other = browser(w)
  const { options } = await other.ask('POST', '/session/passkey/options')
  assert.deepEqual(
    { ...options, challenge: '' },
    { challenge: '', timeout: 120_000, rpId: 'chat.example.com', allowCredentials: [], userVerification: 'required' },
  )
  const begun = await other.ask('POST', '/session/passkey', { response: made.get(options) })
  assert.deepEqual([begun.status, begun.user_id, 'api_key' in begun], [200, hamlet.id, false])
  assert.equal((await other.ask('GET', '/users/me')).user_id, hamlet.id)
  const listed = await other.ask('GET', '/users/me/passkeys')
  const now = w.clock.now() / 1000
  assert.deepEqual(listed.passkeys, [{ id, name: 'Laptop', created_at: now, last_used_at: now, backed_up: false }])
  const [entry] = (await auditOf(w, 'signIn')).slice(-1)
  assert.match(entry!.after!, /"by":"passkey"/)
  const [row] = await auditOf(w, 'addPasskey')
  assert.match(row!.after!, /Laptop/)
})

test('an answer that is wrong in any way signs nobody in', async () => {
  await using w = await opened()
  const { hamlet, iago } = w.people
  const [b, made, theirs] = [browser(w), authenticator(ORIGIN), authenticator(ORIGIN)]
  await added(b, hamlet, made)
  await added(browser(w), iago, theirs)
  const flaws: Flaw[] = [
    { origin: 'https://chat.example.org' },
    { origin: 'http://chat.example.com' },
    { origin: 'https://chat.example.com:444' },
    { origin: 'https://evil.chat.example.com' },
    { rpId: 'example.com' },
    { rpId: 'chat.example.org' },
    { type: 'webauthn.create' },
    { type: 'payment.get' },
    { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    { challenge: '' },
    { flags: 0x04 },
    { flags: 0x01 },
    { flags: 0 },
    { counter: 0 },
    { id: theirs.id },
    { id: 'bm90IHRoaXMgb25l' },
    { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' },
    { forged: true },
  ]
  for (const flaw of flaws) {
    const other = browser(w)
    const answer = await signIn(other, made, flaw)
    assert.deepEqual([answer.status, answer.code], [401, 'AUTHENTICATION_FAILED'], JSON.stringify(flaw))
    assert.equal((await other.ask('GET', '/users/me')).status, 401)
  }
  assert.equal((await signIn(browser(w), made)).status, 200)
})

test('what is no answer of an authenticator is rejected without an error of the server', async () => {
  await using w = await opened()
  const [b, made] = [browser(w), authenticator(ORIGIN)]
  await added(b, w.people.hamlet, made)
  const { options } = await b.ask('POST', '/session/passkey/options')
  const right = JSON.parse(made.get(options))
  const garbage: unknown[] = [
    ...['', '{}', 'null', '[]', '"x"', '{', '['.repeat(5000), 'x'.repeat(30_000)],
    ...[
      { ...right, type: 'password' },
      { ...right, id: 7 },
      { ...right, rawId: '' },
      { ...right, response: null },
    ],
    { ...right, response: { ...right.response, clientDataJSON: '' } },
    { ...right, response: { ...right.response, clientDataJSON: 'bm8' } },
    { ...right, response: { ...right.response, signature: 'ü' } },
    { ...right, id: 'x'.repeat(2000) },
  ]
  for (const response of garbage) {
    const answer = await b.ask('POST', '/session/passkey', { response })
    assert.equal(answer.status, 401, JSON.stringify(response).slice(0, 100))
  }
  for (const part of ['authenticatorData', 'signature']) {
    const { options } = await b.ask('POST', '/session/passkey/options')
    const answer = JSON.parse(made.get(options))
    answer.response[part] = 'AAAA'
    assert.equal((await b.ask('POST', '/session/passkey', { response: answer })).status, 401, part)
  }
})

test('a challenge works once, for two minutes, in the browser and for the purpose that it was made for', async () => {
  await using w = await opened()
  const { hamlet } = w.people
  // Passkeys that devices share count nothing, so only the challenge prevents a replay.
  const [b, made] = [browser(w), authenticator(ORIGIN, false)]
  await added(b, hamlet, made)
  const answerOf = async (of: TestBrowser) => made.get((await of.ask('POST', '/session/passkey/options')).options)
  const send = (of: TestBrowser, response: string) => of.ask('POST', '/session/passkey', { response })

  const once = browser(w)
  const response = await answerOf(once)
  assert.equal((await send(once, response)).status, 200)
  assert.equal((await send(once, response)).code, 'AUTHENTICATION_FAILED')

  const stolen = await answerOf(browser(w))
  const thief = browser(w)
  await answerOf(thief)
  assert.equal((await send(thief, stolen)).code, 'AUTHENTICATION_FAILED')
  assert.equal((await send(browser(w), await answerOf(browser(w)))).code, 'AUTHENTICATION_FAILED')

  const slow = browser(w)
  const late = await answerOf(slow)
  w.clock.advance(120_000)
  assert.equal((await send(slow, late)).code, 'AUTHENTICATION_FAILED')

  const { ticket } = await slow.ask('POST', '/session', login(hamlet))
  assert.equal(
    (await slow.ask('POST', '/session/second_factor', { ticket, response: await answerOf(slow) })).status,
    401,
  )
  const { options } = await slow.ask('POST', '/session/passkey/options', { ticket })
  assert.equal((await send(slow, made.get(options))).status, 401)

  const twice = browser(w)
  const both = await answerOf(twice)
  const statuses = (await Promise.all([send(twice, both), send(twice, both)])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 401])
})

test('two copies of an authenticator that counts: the one that is behind is rejected', async () => {
  await using w = await opened()
  const [b, made] = [browser(w), authenticator(ORIGIN)]
  await added(b, w.people.hamlet, made)
  assert.equal((await signIn(browser(w), made, { counter: 10 })).status, 200)
  for (const counter of [10, 9, 1]) assert.equal((await signIn(browser(w), made, { counter })).status, 401)
  const [one, two] = [browser(w), browser(w)]
  const both = await Promise.all([signIn(one, made, { counter: 11 }), signIn(two, made, { counter: 11 })])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 401])
})

test('a passkey is the second factor of a password, and only of its own account', async () => {
  await using w = await opened()
  const { hamlet, iago } = w.people
  const [made, theirs] = [authenticator(ORIGIN), authenticator(ORIGIN)]
  const { recovery_codes } = await added(browser(w), hamlet, made)
  await added(browser(w), iago, theirs)
  const b = browser(w)
  const asked = await b.ask('POST', '/session', login(hamlet))
  assert.deepEqual(
    [asked.status, asked.code, asked.methods],
    [403, 'SECOND_FACTOR_REQUIRED', ['passkey', 'recovery_code']],
  )
  const { ticket } = asked
  const begin = async () => (await b.ask('POST', '/session/passkey/options', { ticket })).options
  assert.deepEqual(
    (await begin()).allowCredentials.map((one: { id: string }) => one.id),
    [made.id],
  )
  const finish = (response: string) => b.ask('POST', '/session/second_factor', { ticket, response })
  assert.equal((await finish(theirs.get(await begin()))).status, 401)
  assert.equal((await finish(made.get(await begin(), { flags: 1 }))).status, 401)
  assert.equal((await finish(made.get(await begin()))).status, 200)
  assert.equal((await b.ask('POST', '/session/passkey/options', { ticket })).code, 'AUTHENTICATION_FAILED')
  assert.equal((await b.ask('GET', '/users/me')).user_id, hamlet.id)

  const { ticket: second } = await browser(w).ask('POST', '/session', login(hamlet))
  const byCode = () => browser(w).ask('POST', '/session/second_factor', { ticket: second, code: recovery_codes[0] })
  assert.equal((await byCode()).status, 200)
  assert.equal((await byCode()).status, 401)
  const byPassword = await apiOf(w.chat).post('/fetch_api_key', login(hamlet))
  assert.match(byPassword.msg, /has a passkey/)
  const withCode = await apiOf(w.chat).post('/fetch_api_key', { ...login(hamlet), code: recovery_codes[1] })
  assert.equal(withCode.status, 200)
})

test('a passkey is added only with a confirmation, in the session that asked, and once', async () => {
  await using w = await opened()
  const { hamlet, iago } = w.people
  const made = authenticator(ORIGIN)
  const b = browser(w)
  await b.ask('POST', '/session', login(hamlet))
  w.clock.advance(301_000)
  assert.equal((await b.ask('POST', '/users/me/passkeys/options')).msg, 'Confirm that it is you.')
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
  const { options } = await theirs.ask('POST', '/users/me/passkeys/options')
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
  assert.equal((await theirs.ask('DELETE', `/users/me/passkeys/${id}`)).msg, 'No such passkey')
  assert.equal((await b.ask('PATCH', `/users/me/passkeys/${id}`, { name: ' Desk ' })).status, 200)
  assert.equal((await b.ask('GET', '/users/me/passkeys')).passkeys[0].name, 'Desk')
  const state = await b.ask('GET', '/users/me/second_factor')
  assert.deepEqual([state.totp, state.passkeys, state.recovery_codes_left], [false, 1, 10])
  w.clock.advance(301_000)
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

test('a page of another site begins no sign-in with a passkey', async () => {
  await using w = await opened()
  const made = authenticator(ORIGIN)
  await added(browser(w), w.people.hamlet, made)
  const other = browser(w, { 'sec-fetch-site': 'cross-site' })
  assert.equal((await other.ask('POST', '/session/passkey/options')).status, 400)
  const bare = browser(w, { 'x-requested-with': '' })
  assert.equal((await bare.ask('POST', '/session/passkey', { response: '{}' })).status, 400)
})

test('doctor counts the passkeys of another host name', async () => {
  await using w = await opened()
  const { id } = await added(browser(w), w.people.hamlet, authenticator(ORIGIN))
  const lost = async () => (await runCommand(w.chat, 'inspect', {}, () => {})).lost_passkeys
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
