import type { AskNamedServer, NamedServerRequest } from '../../../network/provider.ts'
import { readJson } from '../../kernel/base/objects.ts'
import type { ProviderConfig } from './config.ts'
import { textOf } from './protocol.ts'

/** What a test of a provider found. */
export interface Trial {
  /** Why people can't sign in with it. */
  readonly problem: string | null
  /** What works, but not as well as it could. */
  readonly hints: readonly string[]
}

/** Nobody can sign in. The message says why, and what to do. */
class TrialFailed extends Error {}
const fail = (sentence: string): never => {
  throw new TrialFailed(sentence)
}

/** Network errors by their codes. Others have messages that people understand. */
const networkErrors: Readonly<Record<string, string>> = {
  ENOTFOUND: 'has no address in DNS',
  EAI_AGAIN: "can't be found, because DNS doesn't answer",
  ECONNREFUSED: 'accepts no connections',
  ECONNRESET: 'closes the connection',
  EHOSTUNREACH: "can't be reached",
  ENETUNREACH: "can't be reached",
  ETIMEDOUT: "doesn't answer",
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another host',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that nobody trusts',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate that nobody trusts',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate without the ones between it and a trusted one',
}

const DISCOVERY = '/.well-known/openid-configuration'
/** No provider has issued it. Its answer says whether the client is known. */
const NO_CODE = 'a-test-of-the-client'

/** Sends a provider the requests of a sign-in, as far as possible without a person. */
export async function tryProvider(config: ProviderConfig, ask: AskNamedServer, redirect_uri: string): Promise<Trial> {
  const hints: string[] = []
  try {
    await (config.type === 'github' ? tryGithub(config, ask, redirect_uri) : tryOidc(config, ask, redirect_uri, hints))
    return { problem: null, hints: hints.map((hint) => `${hint}.`) }
  } catch (error) {
    if (!(error instanceof TrialFailed)) throw error
    return { problem: `${error.message}.`, hints: hints.map((hint) => `${hint}.`) }
  }
}

async function tryOidc(config: ProviderConfig, ask: AskNamedServer, redirect_uri: string, hints: string[]) {
  const { issuer, scopes } = config
  const url = `${issuer.replace(/\/$/, '')}${DISCOVERY}`
  const metadata = await jsonAt(ask, { method: 'GET', url }, 'Is this the issuer of a provider?')
  if (metadata.issuer !== issuer) {
    const other = textOf(metadata.issuer)
    fail(
      other === undefined ? `${url} names no issuer` : `The provider calls itself ${other}. Enter this as the issuer`,
    )
  }
  for (const member of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) addressIn(metadata, member)
  const offers = (member: string, value: string) => listIn(metadata[member])?.includes(value) ?? true
  if (!offers('response_types_supported', 'code')) fail("The provider doesn't offer the authorization code flow")
  if (!offers('scopes_supported', 'openid')) fail("The provider doesn't offer the scope openid")
  const unknown = scopes.filter((scope) => !offers('scopes_supported', scope))
  if (unknown.length > 0) hints.push(`The provider doesn't list these scopes: ${unknown.join(', ')}`)
  if (!listIn(metadata.code_challenge_methods_supported)?.includes('S256'))
    hints.push("The provider doesn't say that it supports PKCE with S256")
  if (metadata.backchannel_logout_supported !== true)
    hints.push(
      "The provider doesn't say that it supports back-channel logout, so signing out there may not sign out here",
    )
  const { keys } = await jsonAt(ask, { method: 'GET', url: addressIn(metadata, 'jwks_uri') })
  if (!Array.isArray(keys) || keys.length === 0) fail("The provider has no keys, so its signatures can't be checked")
  await tryClient(config, ask, addressIn(metadata, 'token_endpoint'), redirect_uri)
}

/** Exchanges a code that doesn't exist. Only a known client learns that the code is wrong. */
async function tryClient(
  { client_id, client_secret }: ProviderConfig,
  ask: AskNamedServer,
  url: string,
  redirect_uri: string,
) {
  const form = {
    ...{ grant_type: 'authorization_code', code: NO_CODE, redirect_uri, code_verifier: NO_CODE.padEnd(43, '-') },
    ...{ client_id, ...(client_secret !== undefined && { client_secret }) },
  }
  const { status, body } = await answerOf(ask, { method: 'POST', url, form })
  const error = textOf(Object(readJson(body)).error)
  if (error === 'invalid_client' || error === 'unauthorized_client' || status === 401) {
    const what =
      client_secret === undefined ? 'the client ID, or wants a client secret' : 'the client ID or the client secret'
    fail(`The provider rejects ${what}`)
  }
  if (status >= 500) fail(`${new URL(url).host} answers with status ${status}`)
}

async function tryGithub(
  { issuer, client_id, client_secret = '' }: ProviderConfig,
  ask: AskNamedServer,
  redirect_uri: string,
) {
  const url = `${issuer}/login/oauth/access_token`
  const form = { client_id, client_secret, code: NO_CODE, redirect_uri }
  const { error } = await jsonAt(ask, { method: 'POST', url, form })
  if (error === 'incorrect_client_credentials') fail('GitHub rejects the client ID or the client secret')
  if (error === 'redirect_uri_mismatch') fail(`The application at GitHub has another callback URL than ${redirect_uri}`)
  if (error !== 'bad_verification_code') fail(`GitHub doesn't answer as expected: ${textOf(error) ?? 'no error'}`)
}

interface Question {
  method: 'GET' | 'POST'
  url: string
  form?: Readonly<Record<string, string>>
}

async function answerOf(ask: AskNamedServer, { method, url, form }: Question) {
  const { host } = new URL(url)
  const request: NamedServerRequest = {
    ...{ method, url, signal: AbortSignal.timeout(10_000) },
    headers: {
      accept: 'application/json',
      'user-agent': 'chat-server',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: form && new URLSearchParams(form).toString(),
  }
  const { status, bytes, headers } = await ask(request).catch((error) => {
    const { code, name, message } = error as Error & { code?: string }
    const known = code === undefined ? undefined : networkErrors[code]
    if (known !== undefined) return fail(`${host} ${known} (${code})`)
    if (name === 'TimeoutError' || name === 'AbortError') return fail(`${host} doesn't answer within 10 seconds`)
    return fail(name === 'AddressRefused' ? message : `${host} can't be reached: ${message}`)
  })
  return { status, body: Buffer.from(bytes).toString('utf8'), location: headers.location }
}

async function jsonAt(ask: AskNamedServer, question: Question, remedy?: string): Promise<Record<string, unknown>> {
  const { status, body, location } = await answerOf(ask, question)
  const { url } = question
  if (location !== undefined && status >= 300 && status < 400)
    fail(`${url} redirects to ${location}. Enter that address`)
  if (status !== 200) fail(`${url} answers with status ${status}${remedy ? `. ${remedy}` : ''}`)
  const json = readJson(body)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    fail(`${url} isn't JSON${remedy ? `. ${remedy}` : ''}`)
  return json as Record<string, unknown>
}

function addressIn(metadata: Record<string, unknown>, member: string): string {
  const url = textOf(metadata[member])
  if (url === undefined) return fail(`The description of the provider lacks "${member}"`)
  if (URL.parse(url)?.protocol !== 'https:') return fail(`"${member}" of the provider must begin with https://`)
  return url
}

const listIn = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined)
