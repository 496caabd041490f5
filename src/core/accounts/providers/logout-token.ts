import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import * as v from 'valibot'
import { tokenParts } from './token-parts.ts'

/** What the provider's own description says that a token is checked by. */
export interface Verifier {
  issuer: string
  client_id: string
  /** In seconds. */
  now: number
  /** Returns the provider's keys; new ones if the token names one that was not among them. */
  keys(isKnown: (keys: readonly ProviderKey[]) => boolean): Promise<readonly ProviderKey[]>
}

export type ProviderKey = JsonWebKey & { kid?: unknown; use?: unknown }

/** Whom a provider signs out: one session there, or the person everywhere. */
export interface Logout {
  claims: Readonly<Record<string, unknown>>
  sid: string | undefined
  /** Each token works once. */
  jti: string
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Differences between clocks, and how old a token may be, in seconds. */
const SKEW = 60
const OLDEST = 120

const kinds = { RS256: 'rsa', PS256: 'rsa', ES256: 'ec', EdDSA: 'ed25519' } as const
const RSA_PSS_PADDING = 6

const headerShape = v.object({
  // An ID token is no logout token, even if the provider sends it.
  typ: v.pipe(v.string(), v.toLowerCase(), v.picklist(['logout+jwt', 'application/logout+jwt'])),
  alg: v.picklist(Object.keys(kinds) as (keyof typeof kinds)[]),
  kid: v.optional(v.string()),
  crit: v.optional(v.never()),
})
const claimsShape = v.looseObject({
  iss: v.string(),
  aud: v.union([v.string(), v.array(v.string())]),
  iat: v.number(),
  exp: v.optional(v.number()),
  jti: v.pipe(v.string(), v.minLength(1), v.maxLength(500)),
  events: v.looseObject({ [EVENT]: v.looseObject({}) }),
  sub: v.optional(v.string()),
  sid: v.optional(v.pipe(v.string(), v.minLength(1))),
  nonce: v.optional(v.never()),
})

/** Returns what a logout token says, as OpenID Connect Back-Channel Logout demands; undefined if it isn't valid. */
export async function readLogoutToken(token: string, { issuer, client_id, now, keys }: Verifier) {
  const parts = tokenParts(token)
  if (!parts) return undefined
  const about = v.safeParse(headerShape, parts.header)
  const read = v.safeParse(claimsShape, parts.claims)
  if (!about.success || !read.success) return undefined
  const { alg, kid } = about.output
  const { iss, aud, iat, exp = now, jti, sid, ...claims } = read.output
  // Checked before the signature, so that strangers can't make the server ask for keys.
  if (iss !== issuer || ![aud].flat().includes(client_id)) return undefined
  if (iat > now + SKEW || iat < now - OLDEST - SKEW || exp <= now - SKEW) return undefined
  const fits = (key: ProviderKey) => (kid === undefined || key.kid === kid) && key.use !== 'enc'
  const data = Buffer.from(parts.signed)
  const found = (await keys((known) => known.some(fits))).filter(fits)
  if (!found.some((key) => isSignature(alg, key, data, parts.signature))) return undefined
  return { claims, sid, jti } satisfies Logout
}

function isSignature(alg: keyof typeof kinds, jwk: ProviderKey, data: Buffer, signature: Buffer): boolean {
  let key: KeyObject
  try {
    key = createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return false
  }
  if (key.asymmetricKeyType !== kinds[alg]) return false
  const padding = alg === 'PS256' ? { padding: RSA_PSS_PADDING, saltLength: 32 } : {}
  return verify(alg === 'EdDSA' ? null : 'sha256', data, { key, dsaEncoding: 'ieee-p1363', ...padding }, signature)
}
