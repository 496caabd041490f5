import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { AskNamedServer, NamedServerRequest } from '../../src/network/provider.ts'

export const ISSUER = 'https://id.example.com'

/** What the provider says of somebody. */
export type Claims = Readonly<Record<string, unknown>>

interface Code {
  claims: Claims
  nonce: string
  challenge: string
  redirect_uri: string
}

export interface FakeOptions {
  issuer?: string
  now: () => number
  client_id?: string
  client_secret?: string
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An identity provider in this process, which speaks OpenID Connect strictly. */
export interface FakeProvider {
  readonly issuer: string
  /** Answers instead of the provider. */
  failing: undefined | ((request: NamedServerRequest) => { status: number; body?: unknown } | undefined)
  /** Changes the claims of the ID token after they are made. */
  change: (claims: Record<string, unknown>) => Record<string, unknown>
  /** Members of the metadata that differ. */
  metadata: Record<string, unknown>
  /** Names of claims that only the userinfo endpoint has. */
  later: string[]
  /** Whether codes work more than once, as with a careless provider. */
  forgetful: boolean
  /** Pictures by path. */
  pictures: Map<string, Uint8Array>
  /** Paths that were asked, in order. */
  asked: string[]
  rotateKey(): void
  /** Returns a logout token, with other members of its header if given. */
  logoutToken(claims: Claims, header?: object): string
  /** What a person does at the provider: signs in and is sent back. Returns the address that the browser opens. */
  consent(address: string, claims: Claims): string
  ask: AskNamedServer
}

export function fakeProvider({
  issuer = ISSUER,
  now,
  client_id = 'chat',
  client_secret = 'a secret',
}: FakeOptions): FakeProvider {
  const codes = new Map<string, Code>()
  const tokens = new Map<string, Claims>()
  let issued = 0
  let key = newKey()
  const fake: FakeProvider = {
    issuer,
    failing: undefined,
    change: (claims) => claims,
    metadata: {},
    later: [],
    forgetful: false,
    asked: [],
    pictures: new Map(),
    rotateKey() {
      key = newKey()
    },
    logoutToken: (claims, header = { typ: 'logout+jwt' }) => signed(claims, key, header),
    consent(address: string, claims: Claims): string {
      const { searchParams: given } = new URL(address)
      const code = `code-${++issued}`
      const redirect_uri = given.get('redirect_uri')!
      codes.set(code, { claims, nonce: given.get('nonce')!, challenge: given.get('code_challenge')!, redirect_uri })
      const back = new URL(redirect_uri)
      for (const [name, value] of Object.entries({ code, state: given.get('state')!, iss: issuer })) {
        back.searchParams.set(name, value)
      }
      return back.href
    },
    async ask(request) {
      const { pathname } = new URL(request.url)
      fake.asked.push(pathname)
      const picture = fake.pictures.get(pathname)
      if (picture) return { status: 200, headers: { 'content-type': 'image/png' }, bytes: picture }
      const failure = fake.failing?.(request)
      const { status, body } = failure ?? answer(request, pathname)
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
      return { status, headers: { 'content-type': 'application/json' }, bytes }
    },
  }

  const base = new URL(issuer).pathname.replace(/\/$/, '')

  function answer({ body = '', headers }: NamedServerRequest, asked: string): { status: number; body: unknown } {
    const path = asked.startsWith(base) ? asked.slice(base.length) : asked
    if (path === '/.well-known/openid-configuration')
      return { status: 200, body: { ...metadataOf(issuer), ...fake.metadata } }
    if (path === '/jwks') return { status: 200, body: { keys: [key.jwk] } }
    if (path === '/token') return exchange(new URLSearchParams(body))
    if (path === '/userinfo') {
      const claims = tokens.get((headers.authorization ?? '').replace(/^Bearer /, ''))
      return claims ? { status: 200, body: claims } : { status: 401, body: { error: 'invalid_token' } }
    }
    return { status: 404, body: {} }
  }

  function exchange(form: URLSearchParams) {
    const wrong = (error: string) => ({ status: 400, body: { error } })
    if (form.get('client_id') !== client_id || form.get('client_secret') !== client_secret) {
      return { status: 401, body: { error: 'invalid_client' } }
    }
    const code = codes.get(form.get('code') ?? '')
    if (!code || code.redirect_uri !== form.get('redirect_uri')) return wrong('invalid_grant')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (challenge !== code.challenge) return wrong('invalid_grant')
    if (!fake.forgetful) codes.delete(form.get('code')!)
    const seconds = Math.floor(now() / 1000)
    const all = { iss: issuer, aud: client_id, iat: seconds, exp: seconds + 300, nonce: code.nonce, ...code.claims }
    const stated = Object.fromEntries(Object.entries(all).filter(([name]) => !fake.later.includes(name)))
    const access_token = `token-${++issued}`
    tokens.set(access_token, code.claims)
    const id_token = signed(fake.change(stated), key)
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 300, id_token } }
  }
  return fake
}

interface Key {
  private: KeyObject
  jwk: object
  kid: string
}

let keys = 0
/** Small keys, because a test needs several. */
function newKey(): Key {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const kid = `key-${++keys}`
  return {
    private: createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    kid,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' },
  }
}

/** Returns a token with these claims. */
export function signed(claims: object, key: Key, header: object = {}): string {
  const text = `${base64url({ alg: 'RS256', typ: 'JWT', kid: key.kid, ...header })}.${base64url(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), key.private).toString('base64url')}`
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer.replace(/\/$/, '')}/authorize`,
  token_endpoint: `${issuer.replace(/\/$/, '')}/token`,
  userinfo_endpoint: `${issuer.replace(/\/$/, '')}/userinfo`,
  jwks_uri: `${issuer.replace(/\/$/, '')}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})
