import assert from 'node:assert/strict'
import test from 'node:test'
import { issueKey } from '../../src/core/accounts/keys.ts'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type Person, type World } from '../../src/testing/index.ts'
import { type Authenticator, authenticator, type Flaw } from './authenticator.ts'
import { added, browser, login, ORIGIN, opened, type TestBrowser } from './passkey-browser.ts'

const LATER_MS = 301_000

async function confirm(b: TestBrowser, made: Authenticator, flaw: Flaw = {}) {
  const { options } = await b.ask('POST', '/users/me/confirmation/options')
  return b.ask('POST', '/users/me/confirmation', { response: made.get(options, flaw) })
}
const newKey = (b: TestBrowser) => b.ask('POST', '/users/me/api_keys', { name: 'Script', scopes: ['read'] })

/** Takes the password from an account, as accounts from an identity provider have none. */
const withoutPassword = (w: World, { id }: Person) =>
  storeOf(w.chat).write(async ({ db }) => {
    await db.updateTable('user').set({ password_hash: null }).where('id', '=', id).execute()
  })

test('a passkey confirms instead of a password, in its session, for five minutes', async () => {
  await using w = await opened()
  const { hamlet } = w.people
  const [b, made] = [browser(w), authenticator(ORIGIN)]
  await added(b, hamlet, made)
  await withoutPassword(w, hamlet)
  w.clock.advance(LATER_MS)
  assert.match((await newKey(b)).msg, /use a passkey, or enter a code/)
  assert.equal((await b.ask('POST', '/users/me/totp')).msg, 'Confirm with a passkey, or sign in again first.')
  const { options } = await b.ask('POST', '/users/me/confirmation/options')
  assert.deepEqual(options.allowCredentials, [{ type: 'public-key', id: made.id, transports: ['internal'] }])
  assert.equal((await confirm(b, made)).status, 200)
  assert.equal((await newKey(b)).status, 200)
  const { secret } = await b.ask('POST', '/users/me/totp')
  const code = () => codeOf(secret, stepAt(w.clock.now() / 1000))
  assert.equal((await b.ask('POST', '/users/me/totp/confirm', { code: code() })).status, 200)
  w.clock.advance(LATER_MS)
  assert.equal((await newKey(b)).status, 400)
  assert.equal((await b.ask('DELETE', '/users/me/totp', { code: code() })).status, 400)
  assert.equal((await confirm(b, made)).status, 200)
  assert.equal((await b.ask('DELETE', '/users/me/totp', { code: code() })).status, 200)
  const state = await b.ask('GET', '/users/me/second_factor')
  assert.deepEqual([state.has_password, state.totp, state.passkeys], [false, false, 1])
})

test('a confirmation counts only in the session that asked, once, and only with a passkey of the account', async () => {
  await using w = await opened()
  const { hamlet, iago } = w.people
  const [b, made] = [browser(w), authenticator(ORIGIN)]
  await added(b, hamlet, made)
  const [theirs, other] = [browser(w), authenticator(ORIGIN)]
  await added(theirs, iago, other)
  const second = browser(w)
  await second.ask('POST', '/session', login(hamlet))
  w.clock.advance(LATER_MS)

  const { options } = await b.ask('POST', '/users/me/confirmation/options')
  const response = made.get(options)
  assert.equal((await theirs.ask('POST', '/users/me/confirmation', { response })).status, 401)
  assert.equal((await b.ask('POST', '/users/me/confirmation', { response })).status, 401)
  for (const flaw of [{ origin: 'https://chat.example.org' }, { flags: 0x01 }, { type: 'webauthn.create' }] as const)
    assert.equal((await confirm(b, made, flaw)).status, 401, JSON.stringify(flaw))
  assert.equal((await confirm(b, other)).status, 401)
  // What is for signing in doesn't confirm.
  const { options: forSignIn } = await b.ask('POST', '/session/passkey/options')
  assert.equal((await b.ask('POST', '/users/me/confirmation', { response: made.get(forSignIn) })).status, 401)
  assert.equal((await newKey(b)).status, 400)

  assert.equal((await confirm(b, made)).status, 200)
  assert.equal((await newKey(b)).status, 200)
  assert.equal((await newKey(theirs)).status, 400)
  const late = (await b.ask('POST', '/users/me/confirmation/options')).options
  w.clock.advance(121_000)
  assert.equal((await b.ask('POST', '/users/me/confirmation', { response: made.get(late) })).status, 401)
})

test('a stolen session adds and removes no passkey, however fresh, if the account can prove more', async () => {
  await using w = await opened()
  const { hamlet } = w.people
  const [b, made] = [browser(w), authenticator(ORIGIN)]
  const { id } = await added(b, hamlet, made)
  const thief = browser(w, {}, new Map(b.cookies))
  const begin = (more: object = {}) => thief.ask('POST', '/users/me/passkeys/options', { ...more })
  assert.match((await begin()).msg, /enter your password, or use a passkey/)
  assert.equal((await thief.ask('DELETE', `/users/me/passkeys/${id}`)).status, 400)
  await withoutPassword(w, hamlet)
  assert.match((await begin()).msg, /use a passkey, or enter a code/)
  assert.equal((await begin({ password: hamlet.password })).code, 'AUTHENTICATION_FAILED')
  assert.equal((await confirm(b, made)).status, 200)
  assert.equal((await b.ask('DELETE', `/users/me/passkeys/${id}`)).status, 200)
})

test('an account without a password adds passkeys with a code, or with a fresh sign-in if it has nothing else', async () => {
  await using w = await opened()
  const { hamlet, cordelia } = w.people
  const [b, other] = [browser(w), browser(w)]
  await b.ask('POST', '/session', login(hamlet))
  const { secret } = await b.ask('POST', '/users/me/totp', { password: hamlet.password })
  const code = () => codeOf(secret, stepAt(w.clock.now() / 1000))
  const { recovery_codes } = await b.ask('POST', '/users/me/totp/confirm', { code: code() })
  await other.ask('POST', '/session', login(cordelia))
  await withoutPassword(w, hamlet)
  await withoutPassword(w, cordelia)
  const begin = (who: TestBrowser, password?: string) => who.ask('POST', '/users/me/passkeys/options', { password })
  assert.equal((await begin(b)).status, 400)
  assert.equal((await begin(b, '000000')).code, 'AUTHENTICATION_FAILED')
  w.clock.advance(31_000)
  const right = code()
  assert.equal((await begin(b, right)).status, 200)
  assert.equal((await begin(b, right)).code, 'AUTHENTICATION_FAILED')
  assert.equal((await begin(b, recovery_codes[0])).status, 200)
  assert.equal((await begin(other)).status, 200)
  w.clock.advance(LATER_MS)
  assert.equal((await begin(other)).msg, 'Sign in again to confirm that it is you.')
})

test('keys and people without passkeys have nothing to confirm with', async () => {
  await using w = await opened()
  const { hamlet } = w.people
  assert.match((await hamlet.api.post('/users/me/confirmation/options')).msg, /Only a browser/)
  const b = browser(w)
  await b.ask('POST', '/session', login(hamlet))
  assert.equal((await b.ask('POST', '/users/me/confirmation/options')).msg, 'Your account has no passkeys.')
})

test('a fresh sign-in alone changes no second factor of an account with a password', async () => {
  await using w = await opened()
  const { hamlet } = w.people
  const b = browser(w)
  await b.ask('POST', '/session', login(hamlet))
  assert.equal((await b.ask('POST', '/users/me/totp')).msg, 'Wrong password!')
  assert.equal((await b.ask('GET', '/users/me/second_factor')).has_password, true)
})

test('a fresh sign-in alone makes no limited key for an account that can prove more', async () => {
  await using w = await opened()
  const { hamlet } = w.people
  const [b, made] = [browser(w), authenticator(ORIGIN)]
  await added(b, hamlet, made)
  const thief = browser(w, {}, new Map(b.cookies))
  const create = (more: object = {}) =>
    thief.ask('POST', '/users/me/api_keys', { name: 'Script', scopes: ['read'], ...more })
  assert.match((await create()).msg, /enter your password, or use a passkey/)
  assert.equal((await create({ password: 'wrong horse' })).code, 'AUTHENTICATION_FAILED')
  assert.equal((await create({ password: hamlet.password })).status, 200)
  assert.equal((await confirm(b, made)).status, 200)
  assert.equal((await create()).status, 200)
})

test('an account without a password sets one with what else proves that it is its owner', async () => {
  await using w = await opened()
  const { hamlet, cordelia } = w.people
  const [b, made] = [browser(w), authenticator(ORIGIN)]
  await added(b, hamlet, made)
  const other = browser(w)
  await other.ask('POST', '/session', login(cordelia))
  await withoutPassword(w, hamlet)
  await withoutPassword(w, cordelia)
  const set = (who: TestBrowser, more: object = {}) =>
    who.ask('PATCH', '/settings', { new_password: 'another horse', ...more })
  assert.match((await set(b)).msg, /use a passkey, or enter a code/)
  assert.equal((await set(b, { old_password: hamlet.password })).code, 'AUTHENTICATION_FAILED')
  assert.equal((await confirm(b, made)).status, 200)
  assert.equal((await set(b)).msg, '')
  // Now the password is needed.
  assert.equal((await set(b)).msg, 'Wrong password!')
  w.clock.advance(LATER_MS)
  assert.equal((await set(other)).msg, 'Sign in again to confirm that it is you.')
  const key = await withKey(w, cordelia)
  assert.equal((await key.patch('/settings', { new_password: 'another horse' })).status, 400)
})

/** A program with a key of the account, which is no session. */
const withKey = async (w: World, { id, email }: Person) => {
  const api_key = await contextOf(w.chat).write((tx) => issueKey(tx, id))
  return apiOf(w.chat, { email, key: api_key })
}
