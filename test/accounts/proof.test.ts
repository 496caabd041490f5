import assert from 'node:assert/strict'
import test from 'node:test'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type World } from '../../src/testing/index.ts'
import { authenticator } from './authenticator.ts'
import { added, auditOf, browser, login, ORIGIN, opened } from './passkey-browser.ts'

const server = { host: 'mail.example.com', port: 587, security: 'starttls', from: 'chat@example.com' }
const provider = { issuer: 'https://id.example.com', client_id: 'chat' }

type Method = 'PUT' | 'POST' | 'PATCH' | 'DELETE'
/** What outlasts a stolen session, in an order in which each is possible, and the parameter of the password. */
const lasting: readonly [Method, string, Readonly<Record<string, unknown>>, string][] = [
  ['PUT', '/mail/server', server, 'account_password'],
  ['DELETE', '/mail/server', {}, 'account_password'],
  ['POST', '/sign_on/providers', { name: 'company', provider }, 'password'],
  ['PATCH', '/sign_on/providers/1', { provider: { ...provider, display_name: 'Us' } }, 'password'],
  ['DELETE', '/sign_on/providers/1', {}, 'password'],
]

test('mail servers and identity providers change only with a proof, also with an API key', async () => {
  await using w = await opened()
  const { iago } = w.people
  const b = browser(w)
  await b.ask('POST', '/session', login(iago))
  for (const [method, path, params, name] of lasting) {
    const what = `${method} ${path}`
    const before = await stateOf(w)
    // Somebody may have stolen the session, or the key.
    assert.match((await b.ask(method, path, { ...params })).msg, /enter your password, or use a passkey/, what)
    const byKey = await iago.api[method.toLowerCase() as Lowercase<Method>](path, params)
    assert.match(byKey.msg, /enter your password, or use a passkey/, what)
    const wrong = await b.ask(method, path, { ...params, [name]: 'wrong horse' })
    assert.deepEqual([wrong.status, wrong.code], [401, 'AUTHENTICATION_FAILED'], what)
    assert.deepEqual(await stateOf(w), before, what)
    assert.equal((await b.ask(method, path, { ...params, [name]: iago.password })).msg, '', what)
    assert.notDeepEqual(await stateOf(w), before, what)
  }
  for (const action of ['setMailServer', 'removeMailServer', 'createSignOnProvider', 'removeSignOnProvider']) {
    const rows = await auditOf(w, action)
    assert.equal(rows.length, 1, action)
    assert.ok(!JSON.stringify(rows).includes(iago.password))
  }
})

test('a passkey replaces the password for five minutes', async () => {
  await using w = await opened()
  const { iago } = w.people
  const made = authenticator(ORIGIN)
  const b = browser(w)
  await added(b, iago, made)
  const { options } = await b.ask('POST', '/users/me/confirmation/options')
  assert.equal((await b.ask('POST', '/users/me/confirmation', { response: made.get(options) })).status, 200)
  for (const [method, path, params] of lasting)
    assert.equal((await b.ask(method, path, { ...params })).msg, '', `${method} ${path}`)
  w.clock.advance(301_000)
  assert.equal((await b.ask('PUT', '/mail/server', server)).status, 400)
})

test('a code after the password proves it, is not used up by a wrong value, and leaves one row of what it permits', async () => {
  await using w = await opened()
  const { iago } = w.people
  const b = browser(w)
  await b.ask('POST', '/session', login(iago))
  const { secret } = await b.ask('POST', '/users/me/totp', { password: iago.password })
  const now = () => codeOf(secret, stepAt(w.clock.now() / 1000))
  const later = () => w.clock.advance(30_000)
  assert.equal((await b.ask('POST', '/users/me/totp/confirm', { code: now() })).status, 200)
  const wrong = `${iago.password}000000`
  for (const [method, path, params, name] of lasting) {
    later()
    assert.equal((await b.ask(method, path, { ...params, [name]: wrong })).code, 'AUTHENTICATION_FAILED', path)
    if (method === 'PUT')
      assert.equal((await b.ask(method, path, { ...server, host: '', [name]: `${iago.password}${now()}` })).status, 400)
    const answer = await b.ask(method, path, { ...params, [name]: `${iago.password}${now()}` })
    assert.equal(answer.msg, '', `${method} ${path}`)
  }
  for (const action of ['setMailServer', 'removeMailServer', 'createSignOnProvider', 'removeSignOnProvider'])
    assert.equal((await auditOf(w, action)).length, 1, action)

  const made = authenticator(ORIGIN)
  later()
  const { options } = await b.ask('POST', '/users/me/passkeys/options', { password: `${iago.password}${now()}` })
  const { id } = await b.ask('POST', '/users/me/passkeys', { response: made.create(options), name: 'Laptop' })
  later()
  const key = { name: 'Script', scopes: ['read'] }
  assert.equal((await b.ask('POST', '/users/me/api_keys', { ...key, password: wrong })).code, 'AUTHENTICATION_FAILED')
  assert.equal((await b.ask('POST', '/users/me/api_keys', { ...key, password: `${iago.password}${now()}` })).msg, '')
  assert.equal((await auditOf(w, 'createApiKey')).length, 1)
  later()
  const removal = `/users/me/passkeys/${id}`
  assert.equal((await b.ask('DELETE', removal, { password: wrong })).code, 'AUTHENTICATION_FAILED')
  assert.equal((await b.ask('DELETE', removal, { password: `${iago.password}${now()}` })).msg, '')
  const rows = await auditOf(w, 'removePasskey')
  assert.deepEqual(
    rows.map(({ after }) => JSON.parse(after!)),
    [{ passkey: 'removed', name: 'Laptop' }],
  )
})

test('a session gets a new API key only with a proof, and a program with a key without one', async () => {
  await using w = await opened()
  const { hamlet } = w.people
  const b = browser(w)
  await b.ask('POST', '/session', login(hamlet))
  const regenerate = (more: object = {}) => b.ask('POST', '/users/me/api_key/regenerate', { ...more })
  assert.match((await regenerate()).msg, /enter your password, or use a passkey/)
  assert.equal((await regenerate({ password: 'wrong horse' })).code, 'AUTHENTICATION_FAILED')
  const { api_key: key } = await hamlet.api.post('/users/me/api_key/regenerate')
  assert.equal((await apiOf(w.chat, { email: hamlet.email, key }).get('/users/me')).status, 200)
  await b.ask('POST', '/session', login(hamlet))
  assert.equal((await regenerate({ password: hamlet.password })).msg, '')
})

test('an account with nothing but a passkey of another host name proves it with a new sign-in', async () => {
  await using w = await opened()
  const { iago } = w.people
  const b = browser(w)
  await added(b, iago, authenticator(ORIGIN))
  await storeOf(w.chat).write(async ({ db }) => {
    await db.updateTable('user').set({ password_hash: null }).where('id', '=', iago.id).execute()
  })
  assert.match((await b.ask('PUT', '/mail/server', server)).msg, /use a passkey, or enter a code/)
  await storeOf(w.chat).write(({ db }) => db.updateTable('passkey').set({ host: 'old.example.com' }).execute())
  assert.equal((await b.ask('PUT', '/mail/server', server)).msg, '')
  w.clock.advance(301_000)
  assert.match((await b.ask('PUT', '/mail/server', server)).msg, /Sign in again/)
})

const stateOf = async ({ chat }: World) => [
  await storeOf(chat).db.selectFrom('mail_server').selectAll().execute(),
  await storeOf(chat).db.selectFrom('sign_on_provider').selectAll().execute(),
]
