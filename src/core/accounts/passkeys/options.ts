import * as v from 'valibot'
import { CHALLENGE_SECONDS } from './challenge.ts'
import type { RelyingParty } from './relying-party.ts'
import type { Passkey } from './stored.ts'
import { ALGORITHMS } from './verify.ts'

const credential = v.strictObject({
  type: v.literal('public-key'),
  id: v.string(),
  transports: v.array(v.string()),
})

/** As `PublicKeyCredential.parseCreationOptionsFromJSON` takes them. */
export const creationShape = v.strictObject({
  rp: v.strictObject({ id: v.string(), name: v.string() }),
  user: v.strictObject({ id: v.string(), name: v.string(), displayName: v.string() }),
  challenge: v.string(),
  pubKeyCredParams: v.array(v.strictObject({ type: v.literal('public-key'), alg: v.number() })),
  timeout: v.number(),
  excludeCredentials: v.array(credential),
  authenticatorSelection: v.strictObject({ residentKey: v.string(), userVerification: v.string() }),
  attestation: v.string(),
})

/** As `PublicKeyCredential.parseRequestOptionsFromJSON` takes them. */
export const requestShape = v.strictObject({
  challenge: v.string(),
  timeout: v.number(),
  rpId: v.string(),
  allowCredentials: v.array(credential),
  userVerification: v.string(),
})

const listed = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ credential_id, transports }) => ({
    type: 'public-key' as const,
    id: credential_id,
    transports: transports.split(' ').filter(Boolean),
  }))

interface Person {
  handle: string
  email: string
  full_name: string
}

/** Returns what a browser needs to make a passkey. */
export const creationOptions = (
  party: RelyingParty,
  organization: string,
  { handle, email, full_name }: Person,
  challenge: string,
  passkeys: readonly Passkey[],
): v.InferOutput<typeof creationShape> => ({
  rp: { id: party.id, name: organization },
  user: { id: handle, name: email, displayName: full_name },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: CHALLENGE_SECONDS * 1000,
  excludeCredentials: listed(passkeys),
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  attestation: 'none',
})

/** Returns what a browser needs to use a passkey: one of these, or any. */
export const requestOptions = (
  party: RelyingParty,
  challenge: string,
  passkeys: readonly Passkey[],
): v.InferOutput<typeof requestShape> => ({
  challenge,
  timeout: CHALLENGE_SECONDS * 1000,
  rpId: party.id,
  allowCredentials: listed(passkeys),
  userVerification: 'required',
})
