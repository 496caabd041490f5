import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type Person } from '../../src/testing/index.ts'
import { PASSWORD } from '../../src/testing/person.ts'
import { fakeProvider } from './fake-provider.ts'
import { type Scene, scene } from './scene.ts'

const ISSUER = 'https://login.example.org'
const company = { issuer: ISSUER, client_id: 'chat', create: 'allowed_domains' }
const open = () => scene({ elsewhere: [(now) => fakeProvider({ issuer: ISSUER, now })] })
const add = ({ api }: Person, provider: object) =>
  api.post('/sign_on/providers', { password: PASSWORD, name: 'company', provider, client_secret: 'a secret' })

/** Signs in with the provider of the page, where the account has the address of this person. */
async function signIn(s: Scene, { email }: Person) {
  const browser = s.browser()
  const claims = { sub: email, email, email_verified: true, name: 'Somebody' }
  const shown = await browser.open(s.fakes[1]!.consent(await browser.start('', 'company'), claims))
  return { browser, shown }
}

/** Proves all addresses, as links in emails do. */
const prove = (s: Scene) =>
  storeOf(s.w.chat).write(({ db }) => db.updateTable('user').set({ email_verified_at: 1 }).execute())

test('a provider for every domain needs a confirmation, and links no owner without the password', async () => {
  await using s = await open()
  const { iago, hamlet } = s.w
  await prove(s)
  const all = { ...company, trusted_domains: ['*'] }
  const refused = await add(iago, all)
  assert.match(refused.msg, /any account except owners'.*"trust_all_domains": true/)
  assert.deepEqual(Object.keys(refused.errors), ['trusted_domains'])
  const { id } = await add(iago, { ...all, trust_all_domains: true })
  assert.equal((await iago.api.patch(`/sign_on/providers/${id}`, { password: PASSWORD, provider: all })).status, 400)

  assert.equal((await (await signIn(s, hamlet)).browser.me()).user_id, hamlet.id)
  const { browser, shown } = await signIn(s, iago)
  assert.match(shown.location!, /^\/accounts\/login\/link\?step=/)
  assert.equal(browser.session(), undefined)
  const linked = await browser.open(shown.location!, { username: iago.email, password: iago.password })
  assert.equal(linked.location, '/', linked.html)
  assert.equal((await (await signIn(s, iago)).browser.me()).user_id, iago.id)
})

test('a provider that names the domain links owners of this domain', async () => {
  await using s = await open()
  const { iago } = s.w
  await prove(s)
  await add(iago, { ...company, trusted_domains: ['*', 'example.com'], trust_all_domains: true })
  assert.equal((await (await signIn(s, iago)).browser.me()).user_id, iago.id)
})

test('a provider that everybody must use turns passwords off, except for emergency accounts', async () => {
  await using s = await open()
  const { iago, hamlet } = s.w
  const required = { ...company, trusted_domains: ['example.com'], required_for: ['*'] }
  assert.match((await add(iago, required)).msg, /No owner could sign in anymore/)
  const api = apiOf(s.w.chat)
  assert.equal((await api.get('/server_settings')).authentication_methods.password, true)
  assert.equal((await add(iago, { ...required, break_glass: [iago.email] })).msg, '')
  const { authentication_methods: methods, email_auth_enabled } = await api.get('/server_settings')
  assert.deepEqual([methods.password, methods.email, email_auth_enabled], [false, false, false])
  const code = async ({ email, password }: Person) =>
    (await api.post('/fetch_api_key', { username: email, password })).code
  assert.deepEqual([await code(hamlet), await code(iago)], ['PASSWORD_AUTH_DISABLED', undefined])
})
