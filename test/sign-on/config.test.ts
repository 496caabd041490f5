import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { signOnOptions } from '../../bin/sign-on-file.ts'
import { readSignOn } from '../../src/core/accounts/providers/config.ts'
import { openChat } from '../../src/index.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { keycloak } from './scene.ts'

const with_ = (provider: object, file: object = {}) => ({ providers: [{ ...keycloak, ...provider }], ...file })
const ldap = (more: object) => ({
  providers: [],
  ldap: { url: 'ldaps://ldap.example.com', base: 'dc=example', ...more },
})
const tenant = '01234567-89ab-cdef-0123-456789abcdef'

const mistakes: readonly (readonly [content: unknown, sentence: string])[] = [
  [undefined, '"the file" must be an object with its members'],
  [{}, '"providers" is missing'],
  [{ providers: {} }, '"providers" must be an Array, not Object'],
  [{ providers: [7] }, '"providers[0]" must be an object with its members'],
  [with_({ name: 'A b' }), '"providers[0].name" may have only a-z, 0-9 and "-", and at most 31 characters'],
  [with_({ surprise: 1 }), '"providers[0].surprise" is unknown'],
  [with_({ client_id: undefined }), '"providers[0].client_id" is missing'],
  [with_({ client_id: ' ' }), '"providers[0].client_id" must not be empty'],
  [
    with_({ preset: 'myspace' }),
    '"providers[0].preset" must be one of google, entra, gitlab, keycloak, authentik, zitadel, okta, github',
  ],
  [with_({ issuer: 'http://id.example.com' }), '"providers[0].issuer" must be an address with https://'],
  [with_({ issuer: undefined }), 'provider "keycloak": "issuer" is missing'],
  [
    with_({ preset: 'entra', issuer: 'https://login.microsoftonline.com/common/v2.0' }),
    'provider "keycloak": "issuer" must look like https://login.microsoftonline.com/TENANT_ID/v2.0',
  ],
  [with_({ preset: 'keycloak' }), 'provider "keycloak": "issuer" must look like https://id.example.com/realms/main'],
  [with_({ client_secret_file: '/x' }), 'provider "keycloak": give "client_secret" or "client_secret_file", not both'],
  [
    with_({ verified_addresses: true, trusted_domains: ['*'] }),
    'provider "keycloak": "verified_addresses" needs "trusted_domains" with the domains that belong to this provider',
  ],
  [
    with_({ trusted_domains: [] }),
    'provider "keycloak": "create" needs "trusted_domains", because accounts are only created for addresses of these domains',
  ],
  [
    with_({ trusted_domains: ['@example.com'] }),
    '"providers[0].trusted_domains[0]" must be a domain such as example.com, or "*"',
  ],
  [with_({ create: 'always' }), '"providers[0].create" must be "never" or "allowed_domains"'],
  [with_({ require: { claim: 'groups', any: [] } }), '"providers[0].require.any" must name a value'],
  [
    with_({ roles: { boss: 'king' } }),
    '"providers[0].roles.boss" must be one of owner, administrator, moderator, member, guest',
  ],
  [with_({ sync: ['address'] }), '"providers[0].sync[0]" may have name, picture, groups and role'],
  [
    with_({ preset: 'github', client_secret: undefined }),
    'provider "keycloak": GitHub needs "client_secret" or "client_secret_file"',
  ],
  [
    with_({ preset: 'github', groups: { a: 'b' } }),
    'provider "keycloak": GitHub has no claims, so "groups" can\'t be used',
  ],
  [{ providers: [keycloak, keycloak] }, 'two providers have the name "keycloak"'],
  [with_({}, { passwords: 'off' }), '"passwords" must be "allowed" or "break_glass"'],
  [
    with_({}, { passwords: 'break_glass' }),
    '"passwords" is "break_glass", so "break_glass" must list an owner who can sign in if a provider fails',
  ],
  [
    { providers: [], passwords: 'break_glass', break_glass: ['a@example.com'] },
    '"passwords" is "break_glass", so "providers" must have a provider',
  ],
  [{ providers: [], ldap: {} }, '"ldap.url" is missing'],
  [ldap({ url: 'ldap.example.com' }), 'ldap: "url" must be an address such as ldaps://ldap.example.com'],
  [ldap({ bind_dn: 'cn=chat' }), 'ldap: "bind_dn" needs either "bind_password" or "bind_password_file"'],
  [ldap({ bind_password: 'x' }), 'ldap: "bind_password" needs "bind_dn"'],
  [ldap({ bind_dn: 'cn=chat', bind_password: '' }), '"ldap.bind_password" must not be empty'],
  [ldap({ user_dn: 'uid=name' }), '"ldap.user_dn" must contain {username}'],
  [ldap({ group_filter: '(a=b)' }), 'ldap: "group_filter" needs "group_base"'],
  [ldap({ filter: 'a=b' }), '"ldap.filter" must be a filter in parentheses, such as (objectClass=person)'],
  [ldap({ attributes: { name: 'c n' } }), '"ldap.attributes.name" must be the name of an attribute'],
  [{ providers: [{ ...keycloak, name: 'ldap' }] }, 'no provider can have the name "ldap"'],
]
for (const [content, sentence] of mistakes) {
  test(`a sign-on file is rejected because ${sentence}`, () => {
    assert.throws(() => readSignOn(content), { message: sentence })
  })
}

test('presets fill in what their provider needs, and the file has the last word', () => {
  const { client_id, client_secret } = keycloak
  const base = { client_id, client_secret }
  const { providers } = readSignOn({
    providers: [
      { name: 'google', preset: 'google', ...base },
      { name: 'entra', preset: 'entra', issuer: `https://login.microsoftonline.com/${tenant}/v2.0`, ...base },
      { name: 'gitlab', preset: 'gitlab', issuer: 'https://git.example.com', ...base },
      { name: 'authentik', preset: 'authentik', issuer: 'https://id.example.com/application/o/chat/', ...base },
      { name: 'zitadel', preset: 'zitadel', issuer: 'https://x.zitadel.cloud', ...base },
      {
        name: 'okta',
        preset: 'okta',
        issuer: 'https://x.okta.com',
        claims: { groups: 'teams' },
        scopes: ['openid'],
        ...base,
      },
      { name: 'github', preset: 'github', display_name: 'Code', ...base },
    ],
  })
  assert.deepEqual(
    providers.map(({ name, issuer, display_name, type, claims, scopes }) => [
      name,
      issuer,
      display_name,
      type,
      claims.subject,
      claims.groups,
      scopes.length,
    ]),
    [
      ['google', 'https://accounts.google.com', 'Google', 'oidc', 'sub', 'groups', 3],
      ['entra', `https://login.microsoftonline.com/${tenant}/v2.0`, 'Microsoft', 'oidc', 'oid', 'groups', 3],
      ['gitlab', 'https://git.example.com', 'GitLab', 'oidc', 'sub', 'groups_direct', 3],
      ['authentik', 'https://id.example.com/application/o/chat/', 'authentik', 'oidc', 'sub', 'groups', 3],
      ['zitadel', 'https://x.zitadel.cloud', 'ZITADEL', 'oidc', 'sub', 'urn:zitadel:iam:org:project:roles', 4],
      ['okta', 'https://x.okta.com', 'Okta', 'oidc', 'sub', 'teams', 1],
      ['github', 'https://github.com', 'Code', 'github', 'sub', 'groups', 2],
    ],
  )
})

test('reads the file and its secrets, and names the file in every error', async () => {
  using temporary = new TemporaryFolder()
  const folder = temporary.path
  const [file, secret] = [join(folder, 'sign-on.json'), join(folder, 'secret')]
  const publicUrl = 'https://chat.example.com'
  const complains = async (content: string, sentence: RegExp, url?: string) => {
    writeFileSync(file, content)
    await assert.rejects(signOnOptions({ signOn: file, publicUrl: url, trustProxy: false }), sentence)
  }
  await assert.rejects(
    signOnOptions({ signOn: join(folder, 'absent'), publicUrl, trustProxy: false }),
    /--sign-on .*absent can't be read/,
  )
  await complains('{', /--sign-on .*sign-on\.json can't be read/, publicUrl)
  await complains('{}', /--sign-on .*sign-on\.json: "providers" is missing/, publicUrl)
  const { client_secret: _, ...open } = keycloak
  const given = JSON.stringify({ providers: [{ ...open, client_secret_file: secret }] })
  await complains(given, /provider "keycloak": "client_secret_file" can't be read/, publicUrl)
  writeFileSync(secret, '\n')
  await complains(given, /is empty/, publicUrl)
  writeFileSync(secret, 'a secret\n')
  await complains(given, /--sign-on needs --public-url/)
  assert.deepEqual(await signOnOptions({ signOn: file, publicUrl, trustProxy: false }), { config: JSON.parse(given) })
  assert.equal(readSignOn(JSON.parse(given)).providers[0]!.client_secret, 'a secret')
})

test('a chat without a public URL refuses to open with providers', async () => {
  await assert.rejects(openChat({ signOn: { config: { providers: [keycloak] } } }), /needs --public-url/)
})

test('every file in the documentation is valid', () => {
  const pages = ['identity-providers', 'directory'].map((name) =>
    readFileSync(new URL(`../../docs/operate/${name}.md`, import.meta.url), 'utf8'),
  )
  const files = [...pages.join('\n').matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) =>
    text!.replace(/(client_secret|bind_password)_file/, '$1'),
  )
  assert.ok(files.length >= 3)
  for (const file of files) {
    const content = JSON.parse(file)
    assert.ok(readSignOn(content, content.proxy && 'X-Remote-User'))
  }
})
