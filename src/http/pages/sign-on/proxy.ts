import * as v from 'valibot'
import { signInByProxy } from '../../../core/accounts/sign-on/proxy.ts'
import { publicAction } from '../../../core/kernel/action.ts'
import { described, text } from '../../../core/kernel/fields.ts'
import { page } from '../../serve/page.ts'
import { PROXY_GROUPS, PROXY_USER } from '../../sign-in/proxy-headers.ts'
import { orRefusal } from '../form.ts'
import { recognized } from './browser.ts'
import { pageOf, title } from './shown.ts'
import { browserHeaders, browserParams, goalOf, goalParams } from './start.ts'

const optional = v.nullish(text)

/** GET /accounts/login/sso/: signs in the person whom an authenticating proxy names. */
export const getProxySignIn = publicAction(
  {
    name: 'getProxySignIn',
    summary: 'Sign in through an authenticating proxy',
    ...browserHeaders,
    headers: { ...browserHeaders.headers, user: PROXY_USER, groups: PROXY_GROUPS },
    params: v.object({
      user: described(optional, 'Name or address in the header that `--user-header` names.'),
      groups: described(optional, 'Groups in the second header.'),
      ...goalParams,
      ...browserParams,
    }),
    result: page,
    answers: 'page',
  },
  (visitor, { user, groups, next, mobile_flow_otp, desktop_flow_otp, ...headers }) =>
    orRefusal(visitor, title, async () => {
      const goal = goalOf({ next, mobile_flow_otp, desktop_flow_otp })
      const { browser, cookie } = recognized(visitor, headers)
      const named = { user: user ?? undefined, groups: groups ?? undefined }
      return { ...pageOf(visitor, await signInByProxy(visitor, named, goal, browser)), cookies: [cookie] }
    }),
)
