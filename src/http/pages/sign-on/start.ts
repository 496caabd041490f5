import * as v from 'valibot'
import { signOnFailed } from '../../../core/accounts/providers/failed.ts'
import { beginSignOn, completeSignOn } from '../../../core/accounts/sign-on/sign-in.ts'
import type { Goal } from '../../../core/accounts/sign-on/steps.ts'
import { publicAction } from '../../../core/kernel/action.ts'
import { badRequest } from '../../../core/kernel/errors.ts'
import { described, text } from '../../../core/kernel/fields.ts'
import { page } from '../../serve/page.ts'
import { orRefusal } from '../form.ts'
import { browserOf, recognized } from './browser.ts'
import { nextPath } from './next-path.ts'
import { pageOf, title } from './shown.ts'

const optional = v.nullish(text)
export const browserHeaders = { headers: { cookie: 'cookie', user_agent: 'user-agent' }, onlyInHeaders: true } as const
export const browserParams = {
  cookie: described(optional, 'Cookies of the browser.'),
  user_agent: described(optional, 'User agent of the browser, for the name of the session.'),
}
/** What the browser or app wants after the sign-in. */
export const goalParams = {
  next: described(optional, 'A path of this server to open after the sign-in.'),
  mobile_flow_otp: described(optional, 'The key with which a mobile app decrypts its API key: 64 hex digits.'),
  desktop_flow_otp: described(optional, 'The key with which the desktop app decrypts its token: 64 hex digits.'),
}
const provider = described(text, 'Name of the provider.')

/** GET /accounts/login/social/oidc/{provider}: sends the browser to the provider. */
export const getSignOnStart = publicAction(
  {
    name: 'getSignOnStart',
    summary: 'Sign in with an identity provider',
    ...browserHeaders,
    params: v.object({
      provider,
      ...goalParams,
      ...browserParams,
    }),
    result: page,
    answers: 'page',
  },
  (visitor, { provider, next, mobile_flow_otp, desktop_flow_otp, ...headers }) =>
    orRefusal(visitor, title, async () => {
      const goal = goalOf({ next, mobile_flow_otp, desktop_flow_otp })
      const { browser, cookie } = recognized(visitor, headers)
      const goTo = await beginSignOn(visitor, provider, goal, browser.id)
      return { status: 200, title, body: '', goTo, cookies: [cookie] }
    }),
)

/** GET /complete/oidc/{provider}: where the provider sends the browser back to. */
export const getSignOnReturn = publicAction(
  {
    name: 'getSignOnReturn',
    summary: 'Return from an identity provider',
    ...browserHeaders,
    params: v.object({
      provider,
      code: described(optional, "The provider's code."),
      state: described(optional, 'The state of the sign-in.'),
      iss: described(optional, 'The issuer that answers.'),
      error: described(optional, 'Why the provider refuses.'),
      ...browserParams,
    }),
    result: page,
    answers: 'page',
  },
  (visitor, { provider, code, state, iss, error, ...headers }) =>
    orRefusal(visitor, title, async () => {
      const browser = browserOf(visitor, headers)
      if (!browser) throw signOnFailed('attempt_expired')
      const returned = {
        code: code ?? undefined,
        state: state ?? undefined,
        iss: iss ?? undefined,
        error: error ?? undefined,
      }
      return pageOf(visitor, await completeSignOn(visitor, provider, returned, browser))
    }),
)

const PAD = /^[0-9a-fA-F]{64}$/

interface Wanted {
  next?: string | null | undefined
  mobile_flow_otp?: string | null | undefined
  desktop_flow_otp?: string | null | undefined
}

/** Throws BAD_REQUEST with upstream's sentences. */
export function goalOf({ next, mobile_flow_otp: mobile, desktop_flow_otp: desktop }: Wanted): Goal {
  if (mobile && desktop) throw badRequest("Can't use both mobile_flow_otp and desktop_flow_otp together")
  if ([mobile, desktop].some((pad) => pad && !PAD.test(pad))) throw badRequest('Invalid OTP')
  const path = nextPath(next)
  return { ...(path && { next: path }), ...(mobile && { mobile }), ...(desktop && { desktop }) }
}
