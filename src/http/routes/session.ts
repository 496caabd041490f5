import { beginPasskeySession, getPasskeyOptions } from '../../core/accounts/passkey-session.ts'
import { beginSession, completeSession, endSession, getSession } from '../../core/accounts/sessions.ts'
import type { Section } from '../route-types.ts'
import { BROWSER_PREFIX } from '../sign-in/session.ts'

/** Signing browsers in and out, below /json, where signed-in browsers reach the entire API. */
export const sessionSection: Section = {
  tag: 'sessions',
  prefix: BROWSER_PREFIX,
  routes: {
    '/session': { GET: getSession, POST: beginSession, DELETE: endSession },
    '/session/second_factor': { POST: completeSession },
    '/session/passkey': { POST: beginPasskeySession },
    '/session/passkey/options': { POST: getPasskeyOptions },
  },
}
