import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { type AccountRules, accountRules, trustedDomain } from './account-rules.ts'
import { tokenParts } from './token-parts.ts'

/** How people signed in who had a JSON web token. No provider of the file may have this name. */
export const JWT = 'jwt'

const algorithms = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const
type Algorithm = (typeof algorithms)[number]

/** The member `jwt` of a sign-on file. */
export const jwtMember = v.strictObject({
  ...accountRules,
  algorithm: v.picklist(algorithms, `must be one of ${algorithms.join(', ')}`),
  key: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(10_000, 'is too long'))),
  key_file: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty'))),
  trusted_domains: v.optional(v.array(trustedDomain), ['*']),
})

/** An application that signs tokens, which are exchanged for API keys. */
export interface JwtSignOn {
  readonly rules: AccountRules
  readonly algorithm: Algorithm
  readonly key: KeyObject | string
}

/** As RFC 7518 demands for HS256, and for RSA. */
const MIN_SECRET_BYTES = 32
const MIN_RSA_BITS = 2048

const keyTypes: Readonly<Record<Exclude<Algorithm, 'HS256'>, string>> = { RS256: 'rsa', ES256: 'ec', EdDSA: 'ed25519' }

/**
 * Returns what the member `jwt` says.
 *
 * @throws Error for a key that is missing, too short, or of another kind than the algorithm's
 */
export function jwtOf({
  key,
  key_file,
  algorithm,
  display_name,
  ...rules
}: v.InferOutput<typeof jwtMember>): JwtSignOn {
  if ((key === undefined) === (key_file === undefined)) throw new Error('"jwt" needs either "key" or "key_file"')
  const given = key ?? read(key_file!)
  return {
    rules: { ...rules, name: JWT, display_name: display_name ?? 'JSON web tokens' },
    algorithm,
    key: algorithm === 'HS256' ? secretIn(given) : publicKeyIn(given, algorithm),
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new Error(`"jwt.key_file" can't be read: ${(error as Error).message}`)
  }
}

function secretIn(given: string): string {
  // Everybody may know a public key, and could sign with it.
  if (given.includes('-----BEGIN')) throw new Error('"jwt.key" is a key for RS256, ES256 or EdDSA, not for HS256')
  if (Buffer.byteLength(given) < MIN_SECRET_BYTES) {
    throw new Error(`"jwt.key" must have at least ${MIN_SECRET_BYTES} bytes, such as from openssl rand -hex 32`)
  }
  return given
}

function publicKeyIn(given: string, algorithm: Exclude<Algorithm, 'HS256'>): KeyObject {
  let key: KeyObject
  try {
    key = createPublicKey(given)
  } catch {
    throw new Error(`"jwt.key" must be a public key in PEM, beginning with -----BEGIN PUBLIC KEY-----`)
  }
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  const isShort = modulusLength !== undefined && modulusLength < MIN_RSA_BITS
  if (
    key.asymmetricKeyType !== keyTypes[algorithm] ||
    isShort ||
    (algorithm === 'ES256' && namedCurve !== 'prime256v1')
  ) {
    throw new Error(`"jwt.key" is no key for ${algorithm}`)
  }
  return key
}

/** Differences between clocks, in seconds. */
const SKEW = 60
/** The longest that a token may be valid, in seconds. */
const LONGEST = 300

const headerShape = v.object({ alg: v.string(), typ: v.optional(v.string()), crit: v.optional(v.never()) })
const claimsShape = v.looseObject({
  exp: v.pipe(v.number(), v.finite()),
  nbf: v.optional(v.number()),
  iat: v.optional(v.number()),
  aud: v.union([v.string(), v.array(v.string())]),
  jti: v.optional(v.string()),
})
type Claims = v.InferOutput<typeof claimsShape>

interface Expected {
  /** In seconds. */
  now: number
  audience: string
}

/** Returns the claims of a valid token and what identifies it; undefined for all others. */
export function claimsOf(
  { algorithm, key }: JwtSignOn,
  token: string,
  { now, audience }: Expected,
): { claims: Claims; id: string } | undefined {
  const parts = tokenParts(token.trim())
  if (!parts) return undefined
  const { signed, signature } = parts
  const about = v.safeParse(headerShape, parts.header)
  // The token doesn't choose its algorithm. A logout token is no sign-in.
  if (!about.success || about.output.alg !== algorithm || !/^(?:at\+)?jwt$/i.test(about.output.typ ?? 'JWT'))
    return undefined
  if (!isSignature(algorithm, key, signed, signature)) return undefined
  const read = v.safeParse(claimsShape, parts.claims)
  if (!read.success) return undefined
  const claims = read.output
  const { exp, nbf = now, iat = now, aud, jti } = claims
  if (exp <= now - SKEW || exp > now + LONGEST + SKEW || nbf > now + SKEW || iat > now + SKEW) return undefined
  if (![aud].flat().some((one) => one.replace(/\/$/, '') === audience)) return undefined
  // A signature has several spellings in base64.
  return { claims, id: jti === undefined ? signed : `jti ${jti}` }
}

function isSignature(algorithm: Algorithm, key: KeyObject | string, signed: string, signature: Buffer): boolean {
  const data = Buffer.from(signed)
  if (typeof key === 'string') {
    const right = createHmac('sha256', key).update(data).digest()
    return right.length === signature.length && timingSafeEqual(right, signature)
  }
  return verify(algorithm === 'EdDSA' ? null : 'sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature)
}
