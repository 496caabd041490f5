import { beginSession, endSession } from '../../core/accounts/sessions.ts'
import type { Section } from '../route-types.ts'
import { BROWSER_PREFIX } from '../sign-in/session.ts'

/** Signing a browser in and out, below /json, where all of the API is answered for a signed-in browser. */
export const sessionSection: Section = {
  tag: 'sessions',
  prefix: BROWSER_PREFIX,
  routes: { '/session': { POST: beginSession, DELETE: endSession } },
}
