import type { ServerMetadata } from 'openid-client'
import type { AskNamedServer } from '../../../network/provider.ts'
import type { Clock } from '../../kernel/base/clock.ts'
import type { ProviderConfig } from './config.ts'
import { type ProviderKey, readLogoutToken } from './logout-token.ts'
import { loadOpenid } from './openid-package.ts'
import { type Person, type Protocol, ProviderUnreachable, textOf, valuesOf } from './protocol.ts'

/** How long the provider's own description is used. */
const METADATA_MS = 3600_000
/** Keys that a logout token names and nobody knows are looked for once in this time. */
const KEYS_MS = 60_000
/** How far clocks may differ, in seconds. */
const TOLERANCE = 60

type Claims = Readonly<Record<string, unknown>>

/** OpenID Connect: the authorization code flow with PKCE, state, nonce, and the check of the issuer. */
export async function oidcProtocol(config: ProviderConfig, ask: AskNamedServer, clock: Clock): Promise<Protocol> {
  const openid = await loadOpenid()
  const customFetch = fetchBy(ask)
  let known: { metadata: ServerMetadata; until: number } | undefined

  /** The package reads its time from the system, which tests replace. Keys of the provider are fetched each time. */
  const withClock = () => ({
    [openid.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
    [openid.clockTolerance]: TOLERANCE,
  })
  const authentication = () =>
    config.client_secret === undefined ? openid.None() : openid.ClientSecretPost(config.client_secret)

  async function metadata(): Promise<ServerMetadata> {
    if (known && clock.now() < known.until) return known.metadata
    const options = { [openid.customFetch]: customFetch, timeout: 10 }
    const found = await openid
      .discovery(new URL(config.issuer), config.client_id, withClock(), authentication(), options)
      .catch((error) => {
        throw unreachable(error, `${config.issuer} doesn't describe itself as OpenID Connect demands`)
      })
    known = { metadata: found.serverMetadata(), until: clock.now() + METADATA_MS }
    return known.metadata
  }

  /** A new one for each sign-in, so that rotated keys are always found. */
  async function configuration() {
    const made = new openid.Configuration(await metadata(), config.client_id, withClock(), authentication())
    made[openid.customFetch] = customFetch
    made.timeout = 10
    openid.enableNonRepudiationChecks(made)
    return made
  }

  let keys: readonly ProviderKey[] = []
  let keysAt = Number.NEGATIVE_INFINITY
  async function keysFor(isKnown: (keys: readonly ProviderKey[]) => boolean) {
    const age = clock.now() - keysAt
    if (age < METADATA_MS && (isKnown(keys) || age < KEYS_MS)) return keys
    keysAt = clock.now()
    const { jwks_uri } = await metadata()
    if (jwks_uri === undefined) return keys
    const signal = AbortSignal.timeout(10_000)
    const answer = await ask({ url: jwks_uri, method: 'GET', headers: { accept: 'application/json' }, signal })
    const { keys: found } = Object(JSON.parse(Buffer.from(answer.bytes).toString('utf8'))) as { keys?: unknown }
    keys = Array.isArray(found) ? found.filter((key) => typeof key === 'object' && key !== null) : []
    return keys
  }

  return {
    async begin({ state, nonce, verifier, redirect_uri }) {
      return openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri,
        scope: config.scopes.join(' '),
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        response_mode: 'query',
      })
    },
    async finish(returned, { state, nonce, verifier }) {
      const provider = await configuration()
      const tokens = await openid.authorizationCodeGrant(provider, returned, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()!
      // Providers may leave these to a second request.
      const asks = provider.serverMetadata().userinfo_endpoint !== undefined && lacks(config, claims)
      const more = asks ? await openid.fetchUserInfo(provider, tokens.access_token, claims.sub) : {}
      return personOf(config, { ...more, ...claims })
    },
    async readLogout(token) {
      const { issuer } = await metadata()
      const now = Math.floor(clock.now() / 1000)
      return readLogoutToken(token, { issuer, client_id: config.client_id, now, keys: keysFor })
    },
  }
}

const lacks = (config: ProviderConfig, claims: Claims): boolean => {
  const { email, name, groups, role } = config.claims
  const wanted = [email, name]
  if (Object.keys(config.groups).length > 0 || Object.keys(config.channels).length > 0) wanted.push(groups)
  if (Object.keys(config.roles).length > 0) wanted.push(role)
  if (config.sync.includes('picture')) wanted.push(config.claims.picture)
  if (config.require) wanted.push(config.require.claim)
  return wanted.some((claim) => claims[claim] === undefined)
}

function personOf({ issuer, claims: names, require, verified_addresses }: ProviderConfig, claims: Claims): Person {
  const subject = textOf(claims[names.subject])
  if (subject === undefined) throw new Error(`the claim ${names.subject}, which identifies people, is missing`)
  const email = textOf(claims[names.email])
  return {
    issuer,
    subject,
    email,
    // Only the value itself: providers that send a text, or nothing, have not said so.
    is_verified: email !== undefined && (verified_addresses || claims[names.email_verified] === true),
    name: textOf(claims[names.name]),
    picture: textOf(claims[names.picture]),
    groups: valuesOf(claims[names.groups]),
    hasTooManyGroups: names.groups in Object(claims._claim_names),
    roles: valuesOf(claims[names.role]),
    required: require ? (valuesOf(claims[require.claim]) ?? []) : [],
    sid: textOf(claims.sid),
  }
}

/** Invalid metadata is the provider's fault, not the person's. */
function unreachable(error: unknown, sentence: string): Error {
  if (error instanceof ProviderUnreachable) return error
  return new ProviderUnreachable(`${sentence}: ${(error as Error).message}`, { cause: error })
}

/** Sends the package's requests through our own network, which checks addresses. */
const fetchBy =
  (ask: AskNamedServer) =>
  async (
    url: string,
    {
      method,
      headers,
      body,
      signal,
    }: { method: string; headers: Record<string, string>; body?: unknown; signal?: AbortSignal },
  ): Promise<Response> => {
    const text = body === undefined || body === null ? undefined : String(body)
    const answer = await ask({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: text,
      signal: signal ?? new AbortController().signal,
    })
    const { 'content-type': type = '', 'www-authenticate': demanded } = answer.headers
    const kept = { 'content-type': type, ...(demanded !== undefined && { 'www-authenticate': demanded }) }
    const isEmpty = [204, 304].includes(answer.status)
    return new Response(isEmpty ? null : new Uint8Array(answer.bytes), { status: answer.status, headers: kept })
  }
