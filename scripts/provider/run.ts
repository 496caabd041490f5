// `npm run test:provider` signs people in with a real OpenID provider, oidc-provider, which runs on this machine.
import assert from 'node:assert/strict'
import tls from 'node:tls'
import { createApp } from '../../src/http/app.ts'
import { apiOf, manualClock, world } from '../../src/testing/index.ts'
import { certificate } from '../../test/mail/certificate.ts'
import { ORIGIN } from '../../test/sign-on/scene.ts'
import { decryptToken, generateOtp, loginAddress, readAnswer } from './app.ts'
import { type PersonBrowser, personBrowser } from './browser.ts'
import { CLIENT, type Person, type RealProvider, startProvider } from './provider.ts'

// Requests check certificates as always. Only this one is known besides the system's.
const { setDefaultCACertificates, getCACertificates } = tls as unknown as {
  setDefaultCACertificates(certificates: readonly string[]): void
  getCACertificates(type: 'default'): string[]
}
setDefaultCACertificates([...getCACertificates('default'), certificate])

const newcomer = (name: string, groups: string[] = []): Person => ({
  email: `${name.toLowerCase()}@example.com`,
  email_verified: true,
  name,
  groups,
})

/** A chat server with two providers: one that everybody trusts, and one that nobody does. */
async function open(conforms: boolean) {
  const people = new Map([
    ['ann', newcomer('Ann', ['staff', 'ops', 'chat-admins'])],
    ['bob', newcomer('Bob', [])],
    ['eve', { ...newcomer('Eve'), email_verified: false }],
  ])
  let fetchChat: (request: Request) => Promise<Response>
  const start = (name: string) =>
    startProvider({
      people,
      conforms,
      redirect_uri: `${ORIGIN}/complete/oidc/${name}`,
      backchannel_logout_uri: `${ORIGIN}/oidc/${name}/backchannel`,
      deliver: (request) => fetchChat(request),
    })
  const [company, other] = [await start('company'), await start('other')]
  const ofCompany = {
    ...{
      trusted_domains: ['example.com'],
      create: 'allowed_domains',
      scopes: ['openid', 'email', 'profile', 'groups'],
    },
    ...{ groups: { staff: 'Staff' }, roles: { 'chat-admins': 'administrator', staff: 'member' } },
    ...{ channels: { ops: ['#incidents'] }, require: { claim: 'sub', any: [...people.keys()] } },
  }
  const providers = [
    { name: 'company', display_name: 'Company login', issuer: company.issuer, ...CLIENT, ...ofCompany },
    { name: 'other', display_name: 'Other', issuer: other.issuer, ...CLIENT },
    { name: 'wrong', display_name: 'Wrong', issuer: `${company.issuer}/elsewhere`, ...CLIENT },
  ]
  const warnings: string[] = []
  const logger = { info() {}, warn: (_: object, message: string) => void warnings.push(message), error: console.error }
  const w = await world(
    {
      chat: { publicUrl: ORIGIN, signOn: { config: { providers } }, logger },
      streams: { incidents: {} },
      groups: { Staff: { members: [] } },
    },
    manualClock(Date.now()),
  )
  const app = createApp({ chat: w.chat, publicUrl: ORIGIN })
  fetchChat = app.fetch
  return {
    w,
    people,
    company,
    other,
    warnings,
    browser: (sub: string) => personBrowser(app.fetch, sub),
    async [Symbol.asyncDispose]() {
      await company.stop()
      await other.stop()
      await w[Symbol.asyncDispose]()
    },
  }
}
type Scene = Awaited<ReturnType<typeof open>>

const isIn = async (browser: PersonBrowser) => (await browser.me()).result === 'success'

async function claims({ w, people, browser }: Scene): Promise<void> {
  const ann = browser('ann')
  assert.equal((await ann.signIn('company', '?next=%2F%23inbox')).location, '/#inbox')
  const me = await ann.me()
  assert.deepEqual([me.full_name, me.delivery_email, me.role], ['Ann', 'ann@example.com', 200])
  const groups = async () => {
    const { user_groups } = await w.iago.api.get('/user_groups')
    const { members } = user_groups.find(({ name }: { name: string }) => name === 'Staff')
    return members.includes(me.user_id)
  }
  assert.equal(await groups(), true)
  const { subscriptions } = JSON.parse((await ann.open('/json/users/me/subscriptions')).html)
  assert.ok(subscriptions.some(({ name }: { name: string }) => name === 'incidents'))

  // The next sign-in takes away what the groups gave, and the address of the same subject changes nothing.
  people.set('ann', { ...newcomer('Ann', ['staff']), email: 'ann.smith@elsewhere.example', email_verified: false })
  const again = browser('ann')
  await again.signIn('company')
  const later = await again.me()
  assert.deepEqual([later.user_id, later.role, later.delivery_email], [me.user_id, 400, 'ann@example.com'])
  people.set('ann', newcomer('Ann', []))
  await browser('ann').signIn('company')
  assert.equal(await groups(), false)
  console.log('ok  claims: a new account, groups, roles, channels, a changed address')
}

async function strangers({ w, browser, people }: Scene): Promise<void> {
  const eve = await browser('eve').signIn('company')
  assert.equal(eve.status, 400)
  assert.match(eve.html, /hasn't verified/)
  // An address that isn't verified leads to no account.
  people.set('eve', { ...newcomer('Eve'), email: w.iago.email, email_verified: false })
  const claimed = await browser('eve').signIn('company')
  assert.match(claimed.location!, /^\/accounts\/login\/link\?step=/)
  const bob = await browser('bob').signIn('other')
  assert.equal(bob.status, 400)
  console.log('ok  strangers: addresses that are not verified, and a provider that creates nobody')
}

async function checks({ browser, company, other, warnings }: Scene): Promise<void> {
  const bob = browser('bob')
  // Another challenge, and another nonce, than the server has chosen.
  for (const name of ['code_challenge', 'nonce']) {
    const address = new URL(await bob.start('', 'company'))
    address.searchParams.set(name, 'a'.repeat(43))
    const shown = await bob.open(await bob.consent(address.href))
    assert.deepEqual([shown.status, bob.session()], [400, undefined], name)
    assert.match(shown.html, /invalid answer/, name)
  }
  // An answer works once, and its code doesn't work in another sign-in, either.
  const back = await bob.answered('company')
  assert.equal((await bob.open(back)).location, '/')
  assert.equal((await browser('bob').open(back)).status, 400)
  assert.match((await bob.open(back)).html, /has expired/)
  const state = new URL(await bob.start('', 'company')).searchParams.get('state')!
  const replayed = new URL(back)
  replayed.searchParams.set('state', state)
  assert.match((await bob.open(replayed.href)).html, /invalid answer/)

  // Mix-up: the answer of one provider at the address of the other, and one that names the other.
  const victim = browser('bob')
  const swapped = new URL(await victim.answered('company'))
  swapped.pathname = '/complete/oidc/other'
  assert.equal((await victim.open(swapped.href)).status, 400)
  const theirs = new URL(await victim.answered('other'))
  const mixed = new URL(theirs)
  mixed.pathname = '/complete/oidc/company'
  mixed.searchParams.set('state', new URL(await victim.start('', 'company')).searchParams.get('state')!)
  assert.equal(mixed.searchParams.get('iss'), other.issuer)
  assert.match((await victim.open(mixed.href)).html, /invalid answer/)
  mixed.searchParams.set('iss', company.issuer)
  mixed.searchParams.set('state', new URL(await victim.start('', 'company')).searchParams.get('state')!)
  assert.match((await victim.open(mixed.href)).html, /invalid answer/)
  assert.equal(victim.session(), undefined)

  const refused = await browser('bob').open('/accounts/login/social/oidc/wrong')
  assert.match(refused.html, /not answering/)
  assert.match(warnings.join('\n'), /a sign-in failed: .*elsewhere doesn't describe itself/)
  console.log('ok  checks: PKCE, nonce, replayed codes, mix-up, a wrong issuer')
}

async function rotation({ browser, company }: Scene): Promise<void> {
  const bob = browser('bob')
  await bob.signIn('company')
  company.rotateKey()
  const after = browser('bob')
  assert.equal((await after.signIn('company')).location, '/')
  // The logout token has the new key as well.
  await signOut(after, company)
  assert.deepEqual([await isIn(after), await isIn(bob)], [false, true])
  console.log('ok  key rotation: sign-in and logout token with a new key')
}

const signOut = (browser: PersonBrowser, { issuer }: RealProvider) => browser.signOutThere(issuer)

async function backChannel({ w, browser, company }: Scene): Promise<void> {
  const [laptop, phone] = [browser('bob'), browser('bob')]
  await laptop.signIn('company')
  await phone.signIn('company')
  await signOut(laptop, company)
  assert.deepEqual([await isIn(laptop), await isIn(phone)], [false, true])
  const { entries } = await w.iago.api.get('/audit', { action: 'endProviderSession' })
  assert.equal(entries[0].after.provider, 'company')
  assert.equal((await laptop.open('/oidc/company/backchannel', { logout_token: 'a.b.c' })).status, 400)
  console.log('ok  back-channel logout: one session of two')
}

/** The official apps sign in through the browser, and this is what they read from it. */
async function apps({ w, browser }: Scene): Promise<void> {
  const settings = await apiOf(w.chat).get('/server_settings')
  const method = settings.external_authentication_methods.find(
    ({ display_name }: { display_name: string }) => display_name === 'Company login',
  )
  const otp = generateOtp()
  const bob = browser('bob')
  const { location: there } = await bob.open(loginAddress(ORIGIN, method.login_url, otp))
  const asked = await bob.open(await bob.consent(there!))
  const page = await bob.open(asked.location!)
  assert.match(page.html, /Sign in to the app as Bob\?/)
  assert.match(page.headers.get('content-security-policy')!, /form-action 'self' zulip:/)
  const handed = await bob.open(asked.location!, {})
  const { email, key, user_id } = readAnswer(handed.location!, ORIGIN, otp)
  const me = await apiOf(w.chat, { email, key }).get('/users/me')
  assert.deepEqual([me.user_id, me.full_name], [user_id, 'Bob'])

  const pad = generateOtp()
  const { html } = await bob.signIn('company', `?desktop_flow_otp=${pad}`)
  const token = decryptToken(/<code>([0-9a-f]+)<\/code>/.exec(html)![1]!, pad)
  const desktop = browser('bob')
  assert.equal((await desktop.open(`/accounts/login/subdomain/${token}`)).location, '/')
  assert.equal((await desktop.me()).user_id, user_id)
  assert.equal((await browser('bob').open(`/accounts/login/subdomain/${token}`)).status, 400)

  const both = await bob.open(`${method.login_url}?mobile_flow_otp=${pad}&desktop_flow_otp=${pad}`)
  assert.match(both.html, /Can(?:'|&#39;)t use both mobile_flow_otp and desktop_flow_otp together/)
  console.log('ok  apps: the mobile and the desktop app sign in')
}

for (const conforms of [true, false]) {
  console.log(`== ${conforms ? 'claims from the userinfo endpoint' : 'claims in the ID token'}`)
  await using scene = await open(conforms)
  for (const check of [claims, strangers, checks, rotation, backChannel, apps]) await check(scene)
}
