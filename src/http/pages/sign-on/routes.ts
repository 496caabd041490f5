import { PROXY_PATH, REGISTER_PATH, START_PATH } from '../../../core/accounts/providers/external-method.ts'
import { endProviderSession } from '../../../core/accounts/sign-on/back-channel.ts'
import { CALLBACK_PATH } from '../../../core/accounts/sign-on/sign-in.ts'
import type { Routes } from '../../route-types.ts'
import { getProxySignIn } from './proxy.ts'
import { getSetUpFactorPage, postSetUpFactorPage } from './set-up.ts'
import { REDEEM_PATH, STEP_PATHS } from './shown.ts'
import { getSignOnReturn, getSignOnStart } from './start.ts'
import {
  getAppPage,
  getDesktopSignIn,
  getLinkPage,
  getSecondFactorPage,
  postAppPage,
  postLinkPage,
  postSecondFactorPage,
} from './steps.ts'

/** Pages that sign people in through an identity provider. */
export const signOnPages: Routes = {
  [`${START_PATH}/:provider`]: { GET: getSignOnStart },
  [`${REGISTER_PATH}/:provider`]: { GET: getSignOnStart },
  [PROXY_PATH]: { GET: getProxySignIn },
  [`${CALLBACK_PATH}/:provider`]: { GET: getSignOnReturn },
  '/oidc/:provider/backchannel': { POST: endProviderSession },
  [STEP_PATHS.factor]: { GET: getSecondFactorPage, POST: postSecondFactorPage },
  [STEP_PATHS.link]: { GET: getLinkPage, POST: postLinkPage },
  [STEP_PATHS.set_up]: { GET: getSetUpFactorPage, POST: postSetUpFactorPage },
  [STEP_PATHS.app]: { GET: getAppPage, POST: postAppPage },
  [`${REDEEM_PATH}/:token`]: { GET: getDesktopSignIn },
}
