import { ask } from './browser-session.ts'

/** What a browser needs to use a passkey, as `PublicKeyCredential.parseRequestOptionsFromJSON` takes it. */
export interface PasskeyRequest {
  challenge: string
  timeout: number
  rpId: string
  allowCredentials: { type: 'public-key'; id: string; transports: string[] }[]
  userVerification: string
}

/**
 * Begins to use a passkey in this browser: to sign in, or as the second factor of a sign-in with this ticket.
 *
 * @throws ChatError AUTHENTICATION_FAILED for a ticket that no longer works; BAD_REQUEST where passkeys can't work
 * @throws ConnectionError if the server can't be reached
 * @example
 * const { options } = await passkeyRequest(location.origin)
 */
export const passkeyRequest = (url: string, params: { ticket?: string } = {}): Promise<{ options: PasskeyRequest }> =>
  ask(`${url}/json/session/passkey/options`, 'POST', new URLSearchParams(params))

/**
 * Signs in to this browser with a passkey.
 *
 * @param params `response` is the credential as JSON text
 * @returns the id and the email address of the account
 * @throws ChatError AUTHENTICATION_FAILED, USER_DEACTIVATED, PASSWORD_AUTH_DISABLED
 * @throws ConnectionError if the server can't be reached
 * @example
 * await beginPasskeyBrowserSession(location.origin, { response: JSON.stringify(credential) })
 */
export const beginPasskeyBrowserSession = (
  url: string,
  params: { response: string },
): Promise<{ user_id: number; email: string }> =>
  ask(`${url}/json/session/passkey`, 'POST', new URLSearchParams(params))
