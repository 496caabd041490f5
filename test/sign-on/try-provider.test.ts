import assert from 'node:assert/strict'
import test from 'node:test'
import { providerPoolOf } from '../../src/core/accounts/providers/all-providers.ts'
import { checkMembers, configOf } from '../../src/core/accounts/providers/page-config.ts'
import { askNamedServers } from '../../src/network/provider.ts'
import { world } from '../../src/testing/index.ts'
import { ISSUER } from './fake-provider.ts'
import { ORIGIN, type Scene, scene } from './scene.ts'

const provider = { issuer: ISSUER, client_id: 'chat' }
const given = { name: 'new', provider, client_secret: 'a secret' }
const ask = (s: Scene, more: object = {}) => s.w.iago.api.post('/sign_on/providers/test', { ...given, ...more })

test('a provider that works has no problem, and the test says what to register', async () => {
  await using s = await scene()
  s.fake.metadata = { backchannel_logout_supported: true, scopes_supported: ['openid', 'email', 'profile'] }
  const answer = await ask(s)
  assert.deepEqual(
    [answer.problem, answer.hints, answer.redirect_uri, answer.logout_uri],
    [null, [], `${ORIGIN}/complete/oidc/new`, `${ORIGIN}/oidc/new/backchannel`],
  )
  assert.deepEqual(s.fake.asked, ['/.well-known/openid-configuration', '/jwks', '/token'])
  assert.equal((await ask(s, { name: 'keycloak', provider: undefined, client_secret: undefined })).problem, null)
  assert.equal((await ask(s, { name: 'nobody', provider: undefined })).status, 400)
  assert.equal((await s.w.iago.api.get('/sign_on/providers')).providers.length, 1)
})

test('hints name what works less well', async () => {
  await using s = await scene()
  s.fake.metadata = { scopes_supported: ['openid', 'email'], code_challenge_methods_supported: ['plain'] }
  assert.deepEqual((await ask(s)).hints, [
    "The provider doesn't list these scopes: profile.",
    "The provider doesn't say that it supports PKCE with S256.",
    "The provider doesn't say that it supports back-channel logout, so signing out there may not sign out here.",
  ])
})

type Fault = (s: Scene) => void
const at =
  (end: string, answer: object): Fault =>
  (s) => {
    s.fake.failing = ({ url }) => (url.endsWith(end) ? { status: 200, ...answer } : undefined)
  }
const DISCOVERY = '/.well-known/openid-configuration'
const faults: Readonly<Record<string, readonly [Fault, RegExp]>> = {
  'another name': [(s) => (s.fake.metadata = { issuer: `${ISSUER}/` }), /calls itself https:\/\/id.example.com\/\./],
  'no name': [(s) => (s.fake.metadata = { issuer: undefined }), /names no issuer/],
  'no page at the address': [at(DISCOVERY, { status: 404 }), /answers with status 404\. Is this the issuer/],
  'a page instead of JSON': [at(DISCOVERY, { body: '<html>' }), /isn't JSON\. Is this the issuer/],
  'no token endpoint': [(s) => (s.fake.metadata = { token_endpoint: undefined }), /lacks "token_endpoint"/],
  'an endpoint without HTTPS': [(s) => (s.fake.metadata = { jwks_uri: 'http://x.example' }), /"jwks_uri" .* https/],
  'another flow': [(s) => (s.fake.metadata = { response_types_supported: ['token'] }), /authorization code flow/],
  'no keys': [at('/jwks', { body: { keys: [] } }), /has no keys/],
  'a broken token endpoint': [at('/token', { status: 502 }), /answers with status 502/],
}
for (const [what, [fault, sentence]] of Object.entries(faults)) {
  test(`the test reports a provider with ${what}`, async () => {
    await using s = await scene()
    fault(s)
    assert.match((await ask(s)).problem, sentence)
  })
}

test('the test reports a wrong secret', async () => {
  await using s = await scene()
  assert.match((await ask(s, { client_secret: 'other' })).problem, /rejects the client ID or the client secret/)
  assert.match((await ask(s, { client_secret: undefined })).problem, /wants a client secret/)
})

test('describes network problems in sentences', async () => {
  for (const [error, sentence] of [
    [
      Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }),
      /^id.example.com has no address in DNS \(ENOTFOUND\)\.$/,
    ],
    [Object.assign(new Error('x'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), /a certificate that nobody trusts/],
    [Object.assign(new Error('x'), { name: 'TimeoutError' }), /doesn't answer within 10 seconds/],
    [new Error('socket hang up'), /can't be reached: socket hang up/],
  ] as const) {
    const chat = { publicUrl: ORIGIN, signOn: { ask: () => Promise.reject(error) } }
    await using w = await world({ chat })
    assert.match((await w.iago.api.post('/sign_on/providers/test', given)).problem, sentence)
  }
})

test('private addresses are rejected, unless the file names them', async () => {
  const issuer = 'https://127.0.0.1:9'
  const named = { name: 'file', issuer, client_id: 'chat' }
  for (const [providers, sentence] of [
    [[], /127\.0\.0\.1 is not on the public Internet/],
    [[named], /^127\.0\.0\.1:9 accepts no connections/],
  ] as const) {
    const signOn = { config: { providers } }
    await using w = await world({ chat: { publicUrl: ORIGIN, signOn } })
    const answer = await w.iago.api.post('/sign_on/providers/test', { ...given, provider: { ...provider, issuer } })
    assert.match(answer.problem, sentence)
  }
  await assert.rejects(
    askNamedServers(new Set())({ method: 'GET', url: issuer, headers: {}, signal: new AbortController().signal }),
  )
})

test('GitHub says whether it knows the client', async () => {
  const answers = { error: 'incorrect_client_credentials' }
  const chat = {
    publicUrl: ORIGIN,
    signOn: {
      ask: async () => ({ status: 200, headers: {}, bytes: Buffer.from(JSON.stringify(answers)) }),
    },
  }
  await using w = await world({ chat })
  const github = { name: 'github', provider: { preset: 'github', client_id: 'x' }, client_secret: 'y' }
  assert.match((await w.iago.api.post('/sign_on/providers/test', github)).problem, /rejects the client ID/)
  answers.error = 'bad_verification_code'
  assert.equal((await w.iago.api.post('/sign_on/providers/test', github)).problem, null)
})

test('without a public URL, nothing can be added or tested', async () => {
  await using w = await world()
  assert.equal((await w.iago.api.get('/sign_on/providers')).available, false)
  for (const path of ['/sign_on/providers', '/sign_on/providers/test'])
    assert.match((await w.iago.api.post(path, given)).msg, /needs --public-url/)
})

test('a provider of the page elsewhere cannot point to the private servers of the file', async () => {
  const inside = 'https://127.0.0.1:9'
  const config = { providers: [{ name: 'file', issuer: inside, client_id: 'chat' }] }
  await using w = await world({ chat: { publicUrl: ORIGIN, signOn: { config } } })
  const pool = providerPoolOf(w.chat)
  const asks = (issuer: string) =>
    pool.askFor(configOf('page', checkMembers({ issuer, client_id: 'chat' }), undefined))({
      ...{ method: 'POST', url: `${inside}/admin`, headers: {}, body: 'x', signal: new AbortController().signal },
    })
  await assert.rejects(asks('https://evil.example'), /not on the public Internet/)
  await assert.rejects(asks(inside), { code: 'ECONNREFUSED' })
})
