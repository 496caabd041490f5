import assert from 'node:assert/strict'
import test from 'node:test'
import { apiOf } from '../../src/testing/index.ts'
import { authenticator, type Flaw } from './authenticator.ts'
import { added, auditOf, browser, login, ORIGIN, opened, signIn, type TestBrowser } from './passkey-browser.ts'

// Attack tests: each answer of an authenticator is wrong in one way.

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

test('a page of another site begins no sign-in with a passkey', async () => {
  await using w = await opened()
  const made = authenticator(ORIGIN)
  await added(browser(w), w.people.hamlet, made)
  const other = browser(w, { 'sec-fetch-site': 'cross-site' })
  assert.equal((await other.ask('POST', '/session/passkey/options')).status, 400)
  const bare = browser(w, { 'x-requested-with': '' })
  assert.equal((await bare.ask('POST', '/session/passkey', { response: '{}' })).status, 400)
})
