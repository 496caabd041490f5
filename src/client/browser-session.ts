import { ConnectionError, decode } from './request.ts'

/** How a page asks its own server: its cookie goes along by itself, and the header shows that no other site asks. */
export const pageHeaders = { 'x-requested-with': 'chat-server' } as const

/**
 * Signs this browser in: its session is a cookie that scripts cannot read, so a page has no key to lose. Afterwards
 * `createClient({ url, credentials: 'session' })` is the account's.
 *
 * @returns whose it is
 * @throws ChatError AUTHENTICATION_FAILED for an unknown account and a wrong password alike; USER_DEACTIVATED
 * @throws ConnectionError when the server cannot be reached
 * @example
 * await beginBrowserSession(location.origin, { username: 'ann@example.com', password, name: 'Firefox on Linux' })
 */
export const beginBrowserSession = async (
  url: string,
  params: { username: string; password: string; name?: string },
): Promise<{ user_id: number; email: string }> => ask(url, 'POST', new URLSearchParams(params))

/**
 * Signs this browser out.
 *
 * @throws ConnectionError when the server cannot be reached
 * @example
 * await endBrowserSession(location.origin)
 */
export const endBrowserSession = async (url: string): Promise<void> => void (await ask(url, 'DELETE'))

async function ask<T extends object>(url: string, method: string, body?: URLSearchParams): Promise<T> {
  const init = { method, headers: pageHeaders, ...(body && { body }) }
  const response = await fetch(`${url}/json/session`, init).catch((cause) => {
    throw new ConnectionError('The server cannot be reached', { cause })
  })
  return decode(response) as Promise<T>
}
