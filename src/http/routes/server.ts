import { confirmEmailChange, getEmailChange, getEmailUndo, undoEmailChange } from '../../core/accounts/change-email.ts'
import { devFetchApiKey, devListUsers } from '../../core/accounts/dev/dev-keys.ts'
import { fetchApiKey } from '../../core/accounts/fetch-api-key.ts'
import { getPasswordLink, setPasswordByLink } from '../../core/accounts/password-links.ts'
import { requestPasswordReset } from '../../core/accounts/password-reset.ts'
import { fetchApiKeyByToken } from '../../core/accounts/sign-on/fetch-api-key-by-token.ts'
import { getSignUpChallenge, requestSignUp } from '../../core/accounts/sign-up/request.ts'
import { createBigBlueButtonCall } from '../../core/organization/calls/bigbluebutton.ts'
import { createConstructorGroupsCall } from '../../core/organization/calls/constructor-groups.ts'
import { createNextcloudTalkCall } from '../../core/organization/calls/nextcloud-talk.ts'
import { createZoomCall, summarizeMessages } from '../../core/organization/not-offered.ts'
import { getServerSettings } from '../../core/organization/server-settings.ts'
import { registerPush } from '../../core/push/register-push.ts'
import { testEncryptedNotification } from '../../core/push/test-push.ts'
import type { Routes } from '../route-types.ts'

/** Public endpoints, before signing in. */
export const serverRoutes: Routes = {
  '/server_settings': { GET: getServerSettings },
  '/jwt/fetch_api_key': { POST: fetchApiKeyByToken },
  '/calls/bigbluebutton/create': { GET: createBigBlueButtonCall },
  '/calls/zoom/create': { POST: createZoomCall },
  '/calls/nextcloud_talk/create': { POST: createNextcloudTalkCall },
  '/calls/constructorgroups/create': { POST: createConstructorGroupsCall },
  '/mobile_push/register': { POST: registerPush },
  '/mobile_push/e2ee/test_notification': { POST: testEncryptedNotification },
  '/messages/summary': { GET: summarizeMessages },
  '/fetch_api_key': { POST: fetchApiKey },
  '/dev_fetch_api_key': { POST: devFetchApiKey },
  '/dev_list_users': { GET: devListUsers },
  '/sign_up/challenge': { GET: getSignUpChallenge },
  '/sign_up': { POST: requestSignUp },
  '/password_reset': { POST: requestPasswordReset },
  '/email_change': { GET: getEmailChange, POST: confirmEmailChange },
  '/email_change/undo': { GET: getEmailUndo, POST: undoEmailChange },
  '/password_link': { GET: getPasswordLink, POST: setPasswordByLink },
}
