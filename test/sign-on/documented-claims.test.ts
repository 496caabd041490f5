// cspell:disable
import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type Claims, fakeProvider } from './fake-provider.ts'
import { scene } from './scene.ts'

interface Documented {
  issuer: string
  config?: object
  /** The ID token and the answer of the userinfo endpoint, as the provider documents them. */
  claims: Claims
  /** Claims that only the userinfo endpoint has. */
  later?: string[]
  /** Whether it names itself in the address that it sends people back to. */
  namesItself?: boolean
  subject: string
  /** Whether its groups arrive. */
  hasGroups: boolean
}

const person = { name: 'Ann Lee', given_name: 'Ann', family_name: 'Lee', email: 'ann@example.com' }
const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'
const entra: Documented = {
  issuer: `https://login.microsoftonline.com/${TENANT}/v2.0`,
  claims: {
    ...{ sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ', oid: '690222be-ff1a-4d56-abd1-7e4f7d38e474', tid: TENANT },
    ...{ ver: '2.0', name: 'Ann Lee', preferred_username: 'ann@example.com', uti: 'x', rh: '0.x', aio: 'Df2UVXL1' },
    ...{ email: 'ann@example.com', xms_edov: true, groups: ['staff'] },
  },
  subject: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
  hasGroups: true,
}
const authentik: Documented = {
  issuer: 'https://sso.example.com/application/o/chat/',
  config: { verified_addresses: true },
  claims: {
    ...{ ...person, sub: '5f4dcc3b5aa765d61d8327deb882cf99', email_verified: false, nickname: 'ann', sid: 'a1' },
    ...{ acr: 'goauthentik.io/providers/oauth2/default', amr: ['pwd', 'mfa'], preferred_username: 'ann' },
    ...{ groups: ['authentik Admins', 'staff'] },
  },
  subject: '5f4dcc3b5aa765d61d8327deb882cf99',
  hasGroups: true,
}

const providers: Readonly<Record<string, Documented>> = {
  google: {
    issuer: 'https://accounts.google.com',
    config: { require: { claim: 'hd', any: ['example.com'] } },
    claims: {
      ...{ ...person, azp: 'chat', sub: '110169484474386276334', hd: 'example.com', email_verified: true },
      picture: 'https://lh3.googleusercontent.com/a/x=s96-c',
    },
    subject: '110169484474386276334',
    hasGroups: false,
  },
  entra,
  gitlab: {
    issuer: 'https://gitlab.com',
    claims: {
      ...{ sub: '1234567', sub_legacy: '5f1c', name: 'Ann Lee', nickname: 'ann', preferred_username: 'ann' },
      ...{ email: 'ann@example.com', email_verified: true, profile: 'https://gitlab.com/ann' },
      ...{ picture: 'https://gitlab.com/uploads/x.png', groups: ['staff', 'staff/inner'], groups_direct: ['staff'] },
    },
    later: ['name', 'nickname', 'preferred_username', 'profile', 'picture', 'groups'],
    subject: '1234567',
    hasGroups: true,
  },
  keycloak: {
    issuer: 'https://sso.example.com/realms/main',
    claims: {
      ...{ ...person, sub: '0b5c2ad0-40d6-41c4-b5b1-5d4f6e9aa1b0', typ: 'ID', azp: 'chat', sid: '7f2e', acr: '1' },
      ...{ email_verified: true, preferred_username: 'ann', groups: ['staff', 'offline_access'] },
    },
    namesItself: true,
    subject: '0b5c2ad0-40d6-41c4-b5b1-5d4f6e9aa1b0',
    hasGroups: true,
  },
  authentik,
  zitadel: {
    issuer: 'https://example-abc.zitadel.cloud',
    claims: {
      ...{ ...person, sub: '170848145649959169', azp: 'chat', client_id: 'chat', aud: ['chat', '170847927848010753'] },
      ...{ email_verified: true, preferred_username: 'ann@example.com', locale: 'en', amr: ['password', 'pwd'] },
      'urn:zitadel:iam:org:project:roles': { staff: { '170834923409': 'example.example-abc.zitadel.cloud' } },
    },
    later: ['email', 'email_verified', 'name', 'given_name', 'family_name', 'locale', 'preferred_username'],
    subject: '170848145649959169',
    hasGroups: true,
  },
  okta: {
    issuer: 'https://example.okta.com',
    claims: {
      ...{
        ...person,
        sub: '00uid4BxXw6I6TV4m0g3',
        ver: 1,
        jti: 'ID.4eAWJOCMB3SX8XewDfVR',
        amr: ['pwd'],
        zoneinfo: 'UTC',
      },
      ...{ idp: '00ok1u7AsAkrwdZL3z0g3', preferred_username: 'ann@example.com', email_verified: true },
      groups: ['Everyone', 'staff'],
    },
    // With an access token beside it, the ID token has no profile.
    later: ['name', 'given_name', 'family_name', 'email_verified', 'preferred_username', 'zoneinfo'],
    namesItself: true,
    subject: '00uid4BxXw6I6TV4m0g3',
    hasGroups: true,
  },
}

async function signIn(name: string, { issuer, config, claims, later = [], namesItself = false }: Documented) {
  const s = await scene({
    others: [
      {
        config: {
          ...{ name, preset: name, client_id: 'chat', client_secret: 'a secret', trusted_domains: ['example.com'] },
          ...(/accounts\.google|gitlab\.com/.test(issuer) ? {} : { issuer }),
          ...{ create: 'allowed_domains', groups: { staff: 'Staff' }, ...config },
        },
        fake: (now) => Object.assign(fakeProvider({ now, issuer }), { later }),
      },
    ],
    provider: { name: 'other', issuer: 'https://other.example.com' },
  })
  const fake = s.fakes[1]!
  if (!namesItself) fake.metadata = { authorization_response_iss_parameter_supported: undefined }
  await s.w.iago.api.post('/user_groups/create', { name: 'Staff', description: '', members: [] })
  const browser = s.browser()
  const back = new URL(fake.consent(await browser.start('', name), claims))
  if (!namesItself) back.searchParams.delete('iss')
  return { s, browser, shown: await browser.open(back.href) }
}

for (const [name, documented] of Object.entries(providers))
  test(`what ${name} documents signs a person in, with name, address and groups`, async () => {
    const { s, browser, shown } = await signIn(name, documented)
    await using _ = s
    assert.deepEqual([shown.status, shown.location], [302, '/'], JSON.stringify(s.log))
    const me = await browser.me()
    assert.deepEqual([me.full_name, me.delivery_email], ['Ann Lee', 'ann@example.com'])
    const identity = await storeOf(s.w.chat).db.selectFrom('identity').selectAll().executeTakeFirstOrThrow()
    const { issuer, subject } = documented
    assert.deepEqual([identity.issuer, identity.subject, identity.provider], [issuer, subject, name])
    const { user_groups } = await s.w.iago.api.get('/user_groups')
    const staff = user_groups.find((group: { name: string }) => group.name === 'Staff')
    assert.deepEqual(staff.members, documented.hasGroups ? [me.user_id] : [])
  })

const { xms_edov: _, ...unproved } = entra.claims
const refused: Readonly<Record<string, Documented>> = {
  'entra without xms_edov': { ...entra, claims: unproved },
  'entra with xms_edov as a text': { ...entra, claims: { ...unproved, xms_edov: 'true' } },
  'authentik without its own mapping': { ...authentik, config: {} },
  'google of another Workspace': { ...providers.google!, claims: { ...providers.google!.claims, hd: 'example.org' } },
  'google without a Workspace': { ...providers.google!, claims: { ...providers.google!.claims, hd: undefined } },
}
for (const [what, documented] of Object.entries(refused))
  test(`${what} creates no account`, async () => {
    const { s, shown } = await signIn(what.split(' ')[0]!, documented)
    await using _ = s
    assert.equal(shown.status, 400, shown.html)
    const identities = await storeOf(s.w.chat).db.selectFrom('identity').selectAll().execute()
    assert.deepEqual(identities, [])
  })

test('more groups than Entra sends change nothing, and the log says what to do', async () => {
  const { groups: _, ...claims } = entra.claims
  const overage = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } }
  const { s, shown } = await signIn('entra', { ...entra, claims: { ...claims, ...overage } })
  await using _s = s
  assert.deepEqual([shown.status, shown.location], [302, '/'])
  assert.match(s.warnings().join(), /too many groups .* limit its groups claim/)
})
