import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type Person } from '../../src/testing/index.ts'
import { ann, type Scene, scene } from './scene.ts'

const AJAX = { 'x-requested-with': 'test' }

/** Links an account at the provider to hamlet's, with the password. */
async function linked(s: Scene, who: Person = s.w.hamlet) {
  const browser = s.browser()
  const { location } = await browser.signIn({ ...ann, sub: who.email, email: who.email, email_verified: false })
  await browser.open(location!, { username: who.email, password: who.password })
  return browser
}
const listOf = async ({ api }: Person) => (await api.get('/users/me/linked_accounts')).linked_accounts

test('people see the accounts at providers that sign in to theirs, and unlink them with a proof', async () => {
  await using s = await scene()
  const { hamlet, cordelia } = s.w
  const browser = await linked(s)
  assert.equal((await browser.me()).user_id, hamlet.id)
  const [one, ...more] = await listOf(hamlet)
  assert.deepEqual([one.display_name, one.email, more], ['Company login', hamlet.email, []])
  assert.deepEqual(await listOf(cordelia), [])
  const path = `/users/me/linked_accounts/${one.id}`
  // A stolen session isn't enough, even if it has just begun.
  const { html, status } = await browser.open(`/json${path}`, undefined, AJAX, 'DELETE')
  assert.equal(status, 400)
  assert.match(html, /enter your password/)
  assert.equal((await hamlet.api.delete(path, { password: 'wrong horse' })).code, 'AUTHENTICATION_FAILED')
  const theirs = await cordelia.api.delete(path, { password: cordelia.password })
  assert.equal(theirs.msg, 'No such linked account')
  assert.equal((await hamlet.api.delete(path, { password: hamlet.password })).msg, '')
  assert.deepEqual(await listOf(hamlet), [])
  const again = await s.browser().signIn({ ...ann, sub: hamlet.email, email: hamlet.email, email_verified: false })
  assert.match(again.location!, /\/accounts\/login\/link/)
  const { entries } = await s.w.iago.api.get('/audit', { action: 'unlinkAccount' })
  assert.deepEqual(entries[0].after, { unlinked: 'keycloak' })
})

test('the only way to sign in stays linked', async () => {
  await using s = await scene()
  const browser = s.browser()
  await browser.signIn(ann)
  const { linked_accounts } = JSON.parse((await browser.open('/json/users/me/linked_accounts')).html)
  const path = `/json/users/me/linked_accounts/${linked_accounts[0].id}`
  const refused = await browser.open(path, undefined, AJAX, 'DELETE')
  assert.match(refused.html, /your only way to sign in\. Set a password or add a passkey first/)
  assert.equal(refused.status, 400)
})

test("owners unlink a stranger's account, which ends its sessions", async () => {
  await using s = await scene()
  const { iago, hamlet, cordelia } = s.w
  const browser = await linked(s)
  const path = `/users/${hamlet.id}/linked_accounts`
  assert.equal((await cordelia.api.delete(path)).code, 'UNAUTHORIZED_PRINCIPAL')
  assert.deepEqual((await iago.api.delete(path)).unlinked, ['keycloak'])
  assert.equal((await browser.open('/json/users/me')).status, 401)
  assert.equal((await hamlet.api.get('/users/me')).status, 401)
  assert.equal((await iago.api.delete(path)).msg, 'This user has no linked accounts.')
  const { api_key } = await apiOf(s.w.chat).post('/fetch_api_key', {
    username: hamlet.email,
    password: hamlet.password,
  })
  assert.deepEqual(await listOf({ api: apiOf(s.w.chat, { email: hamlet.email, key: api_key }) } as Person), [])
})

for (const who of ['an owner', 'the person'] as const)
  test(`a sign-in that is under way gets no key after ${who} unlinked the account`, async () => {
    await using s = await scene()
    const { iago, hamlet } = s.w
    await linked(s)
    const stranger = s.browser()
    const account = { ...ann, sub: hamlet.email, email: hamlet.email, email_verified: false }
    const asked = await stranger.signIn(account, `?mobile_flow_otp=${'a1'.repeat(32)}`)
    assert.match(asked.location!, /^\/accounts\/login\/app\?step=/)
    const [one] = await listOf(hamlet)
    const { msg } =
      who === 'an owner'
        ? await iago.api.delete(`/users/${hamlet.id}/linked_accounts`)
        : await hamlet.api.delete(`/users/me/linked_accounts/${one.id}`, { password: hamlet.password })
    assert.equal(msg, '')
    const handed = await stranger.open(asked.location!, {})
    assert.deepEqual([handed.status, handed.location], [400, null])
  })

test('a sign-in that is under way gets no key after the owner of the address has taken the account over', async () => {
  await using s = await scene()
  const { hamlet } = s.w
  await linked(s)
  const stranger = s.browser()
  const account = { ...ann, sub: hamlet.email, email: hamlet.email, email_verified: false }
  const asked = await stranger.signIn(account, `?mobile_flow_otp=${'a1'.repeat(32)}`)
  assert.match(asked.location!, /^\/accounts\/login\/app\?step=/)
  const owner = s.browser()
  await owner.signIn({ ...ann, sub: 'the owner', email: hamlet.email, email_verified: true })
  assert.equal((await owner.me()).user_id, hamlet.id)
  const handed = await stranger.open(asked.location!, {})
  assert.deepEqual([handed.status, handed.location], [400, null])
})

for (const [what, method, path] of [
  ['signing out everywhere', 'delete', '/users/me/api_keys'],
  ['a new API key', 'post', '/users/me/api_key/regenerate'],
] as const)
  test(`${what} ends a sign-in that is under way`, async () => {
    await using s = await scene()
    const { hamlet } = s.w
    await linked(s)
    const stranger = s.browser()
    const account = { ...ann, sub: hamlet.email, email: hamlet.email, email_verified: false }
    const asked = await stranger.signIn(account, `?mobile_flow_otp=${'a1'.repeat(32)}`)
    assert.match(asked.location!, /^\/accounts\/login\/app\?step=/)
    assert.equal((await hamlet.api[method](path)).msg, '')
    const handed = await stranger.open(asked.location!, {})
    assert.deepEqual([handed.status, handed.location], [400, null])
  })

test('the mark of provisioning is no linked account', async () => {
  await using s = await scene()
  const { hamlet } = s.w
  const row = { user_id: hamlet.id, issuer: 'scim', subject: 'x:1', provider: 'scim', email: null }
  await storeOf(s.w.chat).write(({ db }) =>
    db
      .insertInto('identity')
      .values({ ...row, created_at: 0, last_used_at: 0 })
      .execute(),
  )
  assert.deepEqual(await listOf(hamlet), [])
})

for (const who of ['an owner', 'the person'] as const)
  test(`what a stranger made while their account was linked ends when ${who} unlinks it`, async () => {
    await using s = await scene()
    const { hamlet, iago } = s.w
    const { db } = storeOf(s.w.chat)
    const passkey = (name: string, age: number) =>
      storeOf(s.w.chat).write((tx) =>
        tx.db
          .insertInto('passkey')
          .values({
            ...{ user_id: hamlet.id, credential_id: name, host: 'chat.example.com', user_handle: 'handle', name },
            ...{ public_key: '', counter: 0, transports: '', backed_up: 0, last_used_at: null },
            created_at: s.clock.now() / 1000 - age,
          })
          .execute(),
      )
    const { user_id, api_key } = await hamlet.api.post('/bots', { full_name: 'Old helper', short_name: 'old' })
    const bot = apiOf(s.w.chat, { email: (await hamlet.api.get(`/users/${user_id}`)).user.email, key: api_key })
    assert.equal((await bot.get('/users/me')).status, 200)
    s.clock.advance(60_000)
    const stranger = await linked(s)
    s.clock.advance(60_000)
    await passkey('own', 90)
    await passkey('stranger', 0)
    await hamlet.api.post('/users/me/totp', { password: hamlet.password })
    const [one] = await listOf(hamlet)
    const answer =
      who === 'an owner'
        ? await iago.api.delete(`/users/${hamlet.id}/linked_accounts`)
        : await hamlet.api.delete(`/users/me/linked_accounts/${one.id}`, {
            ...{ password: hamlet.password, end_access: true },
          })
    assert.equal(answer.msg, '')
    assert.equal((await stranger.open('/json/users/me')).status, 401)
    assert.equal((await bot.get('/users/me')).status, 401)
    // The session that asked stays.
    assert.equal((await hamlet.api.get('/users/me')).status, who === 'an owner' ? 401 : 200)
    const passkeys = await db.selectFrom('passkey').select('name').where('user_id', '=', hamlet.id).execute()
    assert.deepEqual(passkeys, [{ name: 'own' }])
    assert.deepEqual(await db.selectFrom('totp').selectAll().execute(), [])
    const { entries } = await iago.api.get('/audit', {
      action: who === 'an owner' ? 'unlinkAccountsOf' : 'unlinkAccount',
    })
    assert.equal(entries[0].after.access, who === 'an owner' ? undefined : 'ended')
  })

test('unlinking alone ends no sessions', async () => {
  await using s = await scene()
  const { hamlet } = s.w
  const browser = await linked(s)
  const [one] = await listOf(hamlet)
  await hamlet.api.delete(`/users/me/linked_accounts/${one.id}`, { password: hamlet.password })
  assert.equal((await browser.me()).user_id, hamlet.id)
})

test("a first password that a stranger set ends when an owner unlinks the stranger's account", async () => {
  await using s = await scene()
  const browser = s.browser()
  await browser.signIn(ann)
  const { user_id } = await browser.me()
  const new_password = 'a horse of a stranger 77'
  assert.equal((await browser.open('/json/settings', { new_password }, AJAX, 'PATCH')).status, 200)
  const login = () => apiOf(s.w.chat).post('/fetch_api_key', { username: ann.email, password: new_password })
  assert.equal((await login()).msg, '')
  assert.equal((await s.w.iago.api.delete(`/users/${user_id}/linked_accounts`)).msg, '')
  assert.equal((await login()).status, 401)
})

test('people who unlink an account keep the first password that they enter', async () => {
  await using s = await scene()
  const browser = s.browser()
  await browser.signIn(ann)
  const password = 'my own horse of today 77'
  assert.equal((await browser.open('/json/settings', { new_password: password }, AJAX, 'PATCH')).status, 200)
  const { linked_accounts } = JSON.parse((await browser.open('/json/users/me/linked_accounts')).html)
  const path = `/json/users/me/linked_accounts/${linked_accounts[0].id}`
  assert.equal((await browser.open(path, { password, end_access: 'true' }, AJAX, 'DELETE')).status, 200)
  const { msg } = await apiOf(s.w.chat).post('/fetch_api_key', { username: ann.email, password })
  assert.equal(msg, '')
})
