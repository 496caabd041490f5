import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { PasskeyTable } from '../../../storage/index.ts'
import { depthOf, MAX_JSON_DEPTH } from '../../kernel/base/json-depth.ts'
import type { RelyingParty } from './relying-party.ts'

/** Loaded with the first passkey, because it takes 27 MiB. */
const load = () => import('@simplewebauthn/server')

/**
 * EdDSA, ES256 and RS256. The package would offer ML-DSA first, whose keys have 1,300 bytes, and which older versions of Node.js
 * can't verify.
 */
export const ALGORITHMS = [-8, -7, -257]

const MAX_RESPONSE_LENGTH = 20_000

const encoded = v.pipe(v.string(), v.regex(/^[\w-]*$/))
const common = {
  id: v.pipe(encoded, v.minLength(1), v.maxLength(1400)),
  rawId: encoded,
  type: v.literal('public-key'),
  clientExtensionResults: v.optional(v.record(v.string(), v.unknown()), {}),
  authenticatorAttachment: v.nullish(v.string()),
}
const registration = v.object({
  ...common,
  response: v.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[\w-]{1,20}$/))), v.maxLength(10)), []),
  }),
})
const assertion = v.object({
  ...common,
  response: v.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: v.nullish(encoded),
  }),
})
export type Registration = v.InferOutput<typeof registration>
export type Assertion = v.InferOutput<typeof assertion>

/** Returns what a browser answered, as `PublicKeyCredential.toJSON` writes it; undefined for anything else. */
export const readRegistration = (text: string): Registration | undefined => read(registration, text)
export const readAssertion = (text: string): Assertion | undefined => read(assertion, text)

function read<S extends v.GenericSchema>(schema: S, text: string): v.InferOutput<S> | undefined {
  if (text.length > MAX_RESPONSE_LENGTH || depthOf(text) > MAX_JSON_DEPTH) return undefined
  try {
    const result = v.safeParse(schema, JSON.parse(text))
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}

/** Returns the challenge that the browser says it has signed. The signature shows later whether it has. */
export function challengeIn({ response }: Registration | Assertion): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as {
      challenge?: unknown
    }
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/**
 * Accepted kinds of attestation; none is requested. For other kinds, the package would fetch lists of revoked certificates
 * from the makers' servers.
 */
const ATTESTATIONS: ReadonlySet<string> = new Set(['none', 'packed'])

async function attestationIn({ response }: Registration): Promise<string> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  return decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url')).get('fmt')
}

/** Returns the new passkey; undefined if anything in the answer is wrong. */
export async function verifyRegistration(party: RelyingParty, given: Registration, challenge: string) {
  const { verifyRegistrationResponse } = await load()
  try {
    if (!ATTESTATIONS.has(await attestationIn(given))) return undefined
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: given as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified || !registrationInfo) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    if (given.id !== credential.id || given.rawId !== credential.id) return undefined
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      backed_up: credentialBackedUp ? 1 : 0,
    }
  } catch {
    return undefined
  }
}

type Passkey = Pick<Selectable<PasskeyTable>, 'credential_id' | 'public_key' | 'counter' | 'user_handle'>

/** Returns the counter after this use; undefined if anything in the answer is wrong. */
export async function verifyAssertion(
  party: RelyingParty,
  given: Assertion,
  challenge: string,
  passkey: Passkey,
): Promise<number | undefined> {
  // The package doesn't compare these.
  if (given.id !== passkey.credential_id || given.rawId !== passkey.credential_id) return undefined
  const { userHandle } = given.response
  if (userHandle != null && userHandle !== passkey.user_handle) return undefined
  const { verifyAuthenticationResponse } = await load()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: given as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}
