import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What a test changes in an otherwise right answer. */
export interface Flaw {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: boolean
  /** Flags of the authenticator: 1 for a person who was present, 4 for one who was verified, 64 for a new key. */
  flags?: number
  counter?: number
  id?: string
  userHandle?: string
  /** A signature by another key. */
  forged?: boolean
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const encoded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** An authenticator that follows every instruction, also those that real ones refuse. Its keys are for ES256. */
export function authenticator(origin: string, counts = true) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const credential = randomBytes(16)
  const id = encoded(credential)
  let counter = 0
  let handle = ''

  const clientData = (usual: string, challenge: string, flaw: Flaw) =>
    Buffer.from(
      JSON.stringify({
        type: flaw.type ?? usual,
        challenge: flaw.challenge ?? challenge,
        origin: flaw.origin ?? origin,
        crossOrigin: flaw.crossOrigin ?? false,
      }),
    )
  const head = (usual: number, flaw: Flaw) => {
    const count = Buffer.alloc(4)
    if (counts) counter++
    count.writeUInt32BE(flaw.counter ?? counter)
    return Buffer.concat([sha256(flaw.rpId ?? new URL(origin).hostname), Buffer.from([flaw.flags ?? usual]), count])
  }
  return {
    id,
    /** Answers the options for a new passkey, as JSON. */
    create(options: { challenge: string; user: { id: string } }, flaw: Flaw = {}): string {
      handle = options.user.id
      const { x, y } = publicKey.export({ format: 'jwk' })
      // The key in COSE: kty 2, alg -7, crv 1, x, y.
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x!, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y!, 'base64url'),
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credential.length]), credential, key])
      const data = Buffer.concat([head(0x45, flaw), attested])
      const object = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return JSON.stringify({
        ...{ id: flaw.id ?? id, rawId: flaw.id ?? id, type: 'public-key', clientExtensionResults: {} },
        response: {
          clientDataJSON: encoded(clientData('webauthn.create', options.challenge, flaw)),
          attestationObject: encoded(object),
          transports: ['internal'],
        },
      })
    },
    /** Answers the options for a sign-in, as JSON. */
    get(options: { challenge: string }, flaw: Flaw = {}): string {
      const data = head(0x05, flaw)
      const client = clientData('webauthn.get', options.challenge, flaw)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), flaw.forged ? other : privateKey)
      return JSON.stringify({
        ...{ id: flaw.id ?? id, rawId: flaw.id ?? id, type: 'public-key', clientExtensionResults: {} },
        response: {
          clientDataJSON: encoded(client),
          authenticatorData: encoded(data),
          signature: encoded(signature),
          userHandle: flaw.userHandle ?? handle,
        },
      })
    },
  }
}

export type Authenticator = ReturnType<typeof authenticator>
