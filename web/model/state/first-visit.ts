import { pageHeaders } from '../../../src/client/index.ts'
import { storedName } from '../here.ts'
import { browserStorage } from '../persistence/browser-storage.ts'

const STORED = storedName('visited')

/** Notes that someone was signed in to this browser. */
export const noteVisit = (): void => browserStorage().setItem(STORED, '1')
export const forgetVisit = (): void => browserStorage().removeItem(STORED)

/**
 * Returns the server's rejection of people without a session, on a first visit. The page asks first, because browsers
 * report a rejected request as an error.
 */
export async function whyNotRegister(url: string, request: typeof fetch): Promise<Response | undefined> {
  if (browserStorage().getItem(STORED)) return undefined
  const response = await request(`${url}/json/session`, { headers: pageHeaders })
  const session = response.ok ? await response.json() : undefined
  if (!session || session.user_id !== null || session.spectators_admitted) return undefined
  return Response.json({ result: 'error', msg: '', code: 'UNAUTHORIZED' }, { status: 401 })
}
