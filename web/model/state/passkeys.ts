import { beginPasskeyBrowserSession, completeBrowserSession, passkeyRequest } from '../../../src/client/index.ts'
import { serverUrl } from '../here.ts'

/** Whether this browser has passkeys. It has none without HTTPS, except on localhost. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

interface Creation {
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  challenge: string
  pubKeyCredParams: { type: 'public-key'; alg: number }[]
  timeout: number
  excludeCredentials: Listed[]
  authenticatorSelection: { residentKey: string; userVerification: string }
  attestation: string
}
interface Listed {
  type: 'public-key'
  id: string
  transports: string[]
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
function textOf(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
const listed = (credentials: readonly Listed[]) =>
  credentials.map(({ type, id, transports }) => ({
    ...{ type, id: bytesOf(id) },
    ...(transports.length > 0 && { transports: transports as AuthenticatorTransport[] }),
  }))

/** Makes a passkey. Returns it as JSON, by hand because some browsers lack `toJSON`. Rejects if the person cancels. */
export async function createPasskey(options: Creation): Promise<string> {
  const { challenge, user, excludeCredentials, ...rest } = options
  const publicKey = {
    ...rest,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: listed(excludeCredentials),
  } as PublicKeyCredentialCreationOptions
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  const response = made.response as AuthenticatorAttestationResponse
  return JSON.stringify({
    ...{ id: made.id, rawId: textOf(made.rawId), type: made.type, clientExtensionResults: {} },
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  })
}

/** Signs in with a passkey, or completes the sign-in with this ticket. Rejects if the person cancels. */
export async function usePasskey(ticket: string): Promise<{ user_id: number }> {
  const { options } = await passkeyRequest(serverUrl, ticket === '' ? {} : { ticket })
  const response = await answerWithPasskey(options)
  return ticket === ''
    ? beginPasskeyBrowserSession(serverUrl, { response })
    : completeBrowserSession(serverUrl, { ticket, response })
}

type Asked = Awaited<ReturnType<typeof passkeyRequest>>['options']

/** Uses a passkey, and returns its answer as JSON. Rejects if the person cancels. */
export async function answerWithPasskey(options: Asked): Promise<string> {
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    allowCredentials: listed(options.allowCredentials),
  } as PublicKeyCredentialRequestOptions
  const used = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  const { clientDataJSON, authenticatorData, signature, userHandle } = used.response as AuthenticatorAssertionResponse
  return JSON.stringify({
    ...{ id: used.id, rawId: textOf(used.rawId), type: used.type, clientExtensionResults: {} },
    response: {
      clientDataJSON: textOf(clientDataJSON),
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
      ...(userHandle && userHandle.byteLength > 0 && { userHandle: textOf(userHandle) }),
    },
  })
}
