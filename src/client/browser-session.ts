import { ConnectionError, decode } from './request.ts'

/**
 * Headers of a page's requests to its own server. The browser adds the cookie, and this header proves that no other
 * site sent the request.
 */
export const pageHeaders = { 'x-requested-with': 'chat-server' } as const

/**
 * Signs in to this browser. The session is a cookie that scripts can't read, so a page has no key to lose. Afterwards,
 * `createClient({ url, credentials: 'session' })` acts as the account.
 *
 * @returns the id and the email address of the account
 * @throws ChatError AUTHENTICATION_FAILED for an unknown account and a wrong password alike; USER_DEACTIVATED;
 * SECOND_FACTOR_REQUIRED with a `ticket` for `completeBrowserSession`
 * @throws ConnectionError if the server can't be reached
 * @example
 * await beginBrowserSession(location.origin, { username: 'ann@example.com', password, name: 'Firefox on Linux' })
 */
export const beginBrowserSession = async (
  url: string,
  params: { username: string; password: string; name?: string },
): Promise<{ user_id: number; email: string }> => ask(`${url}/json/session`, 'POST', new URLSearchParams(params))

/**
 * Completes a sign-in that was answered with SECOND_FACTOR_REQUIRED, with the `ticket` from the error's data.
 *
 * @param params `code` is of an authenticator app or a recovery code, `response` of a passkey
 * @returns the id and the email address of the account
 * @throws ChatError AUTHENTICATION_FAILED for a wrong code and for a ticket that no longer works; RATE_LIMIT_HIT
 * @throws ConnectionError if the server can't be reached
 * @example
 * await completeBrowserSession(location.origin, { ticket, code: '123456' })
 */
export const completeBrowserSession = async (
  url: string,
  params: { ticket: string; code: string } | { ticket: string; response: string },
): Promise<{ user_id: number; email: string }> =>
  ask(`${url}/json/session/second_factor`, 'POST', new URLSearchParams({ ...params }))

/**
 * Signs out of this browser.
 *
 * @throws ConnectionError if the server can't be reached
 * @example
 * await endBrowserSession(location.origin)
 */
export const endBrowserSession = async (url: string): Promise<void> => void (await ask(`${url}/json/session`, 'DELETE'))

/** Sends a request of a page to its own server. */
export async function ask<T extends object>(url: string, method: string, body?: URLSearchParams): Promise<T> {
  const init = { method, headers: pageHeaders, ...(body && { body }) }
  const response = await fetch(url, init).catch((cause) => {
    throw new ConnectionError("Can't reach the server", { cause })
  })
  return decode(response) as Promise<T>
}
