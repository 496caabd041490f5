import { removeAvatar, uploadAvatar } from '../../core/accounts/avatar.ts'
import { beginConfirmation, confirmWithPasskey } from '../../core/accounts/confirm-with-passkey.ts'
import { createUser } from '../../core/accounts/create.ts'
import { createApiKey } from '../../core/accounts/create-api-key.ts'
import { deactivateOwnUser, deactivateUser, reactivateUser } from '../../core/accounts/deactivate.ts'
import { registerDevice, removeDevice } from '../../core/accounts/devices.ts'
import { mergeUser } from '../../core/accounts/merging/merge-user.ts'
import { markOnboardingStep } from '../../core/accounts/onboarding.ts'
import { endApiKey, listApiKeys, regenerateApiKey, signOutEverywhere } from '../../core/accounts/own-keys.ts'
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from '../../core/accounts/own-passkeys.ts'
import {
  beginTotp,
  confirmOwnTotp,
  getSecondFactor,
  removeOwnTotp,
  replaceRecoveryCodes,
} from '../../core/accounts/own-second-factor.ts'
import { createPasswordLink } from '../../core/accounts/password-links.ts'
import { resetSecondFactor } from '../../core/accounts/reset-second-factor.ts'
import { listLinkedAccounts, unlinkAccount, unlinkAccountsOf } from '../../core/accounts/sign-on/linked-accounts.ts'
import { updateSettings } from '../../core/accounts/update-settings.ts'
import { updateUser, updateUserByEmail } from '../../core/accounts/update-user.ts'
import { runCommand } from '../../core/accounts/zcommand.ts'
import { muteUser, unmuteUser } from '../../core/messages/mute-user.ts'
import { getModeration, moderateUser } from '../../core/moderation/moderate.ts'
import { deleteOwnExport, listOwnExports, startOwnExport } from '../../core/organization/exports/own-exports.ts'
import {
  addApnsToken,
  addFcmToken,
  removeApnsToken,
  removeFcmToken,
  testNotification,
} from '../../core/push/push-tokens.ts'
import {
  addWebPushSubscription,
  listWebPushSubscriptions,
  removeWebPushSubscription,
} from '../../core/push/subscriptions.ts'
import { getUserChannels } from '../../core/streams/user-channels.ts'
import { addAlertWords, getAlertWords, removeAlertWords } from '../../core/users/alert-words.ts'
import { getOwnUser, getUser, getUserByEmail, listUsers } from '../../core/users/list.ts'
import {
  addNavigationView,
  listNavigationViews,
  removeNavigationView,
  updateNavigationView,
} from '../../core/users/navigation-views.ts'
import { getPresence, getPresenceByEmail, updatePresence } from '../../core/users/presence.ts'
import { removeProfileData, updateProfileData } from '../../core/users/profile-data.ts'
import { getStatus, updateStatus, updateStatusOf } from '../../core/users/status.ts'
import type { Routes } from '../route-types.ts'

/** Accounts, profiles, statuses and presence. */
export const userRoutes: Routes = {
  '/users': { GET: listUsers, POST: createUser },
  '/users/me': { GET: getOwnUser, DELETE: deactivateOwnUser },
  '/users/me/api_keys': { GET: listApiKeys, POST: createApiKey, DELETE: signOutEverywhere },
  '/users/me/api_keys/:key_id(\\d+)': { DELETE: endApiKey },
  '/users/me/api_key/regenerate': { POST: regenerateApiKey },
  '/users/me/second_factor': { GET: getSecondFactor },
  '/users/me/totp': { POST: beginTotp, DELETE: removeOwnTotp },
  '/users/me/totp/confirm': { POST: confirmOwnTotp },
  '/users/me/confirmation': { POST: confirmWithPasskey },
  '/users/me/confirmation/options': { POST: beginConfirmation },
  '/users/me/passkeys': { GET: listPasskeys, POST: addPasskey },
  '/users/me/passkeys/options': { POST: beginPasskey },
  '/users/me/passkeys/:passkey_id(\\d+)': { PATCH: renamePasskey, DELETE: removePasskey },
  '/users/me/linked_accounts': { GET: listLinkedAccounts },
  '/users/me/linked_accounts/:linked_account_id(\\d+)': { DELETE: unlinkAccount },
  '/users/me/recovery_codes': { POST: replaceRecoveryCodes },
  '/users/me/exports': { GET: listOwnExports, POST: startOwnExport },
  '/users/me/exports/:export_id(\\d+)': { DELETE: deleteOwnExport },
  '/users/me/avatar': { POST: uploadAvatar, DELETE: removeAvatar },
  '/users/me/onboarding_steps': { POST: markOnboardingStep },
  '/users/me/apns_device_token': { POST: addApnsToken, DELETE: removeApnsToken },
  '/users/me/android_gcm_reg_id': { POST: addFcmToken, DELETE: removeFcmToken },
  '/users/me/web_push_subscriptions': {
    GET: listWebPushSubscriptions,
    POST: addWebPushSubscription,
    DELETE: removeWebPushSubscription,
  },
  '/register_client_device': { POST: registerDevice },
  '/remove_client_device': { POST: removeDevice },
  '/navigation_views': { GET: listNavigationViews, POST: addNavigationView },
  '/navigation_views/**:fragment': { PATCH: updateNavigationView, DELETE: removeNavigationView },
  '/mobile_push/test_notification': { POST: testNotification },
  '/zcommand': { POST: runCommand },
  '/users/me/alert_words': { GET: getAlertWords, POST: addAlertWords, DELETE: removeAlertWords },
  '/users/me/muted_users/:muted_user_id(\\d+)': { POST: muteUser, DELETE: unmuteUser },
  '/users/me/presence': { POST: updatePresence },
  '/users/me/status': { POST: updateStatus },
  '/users/me/profile_data': { PATCH: updateProfileData, DELETE: removeProfileData },
  '/users/:user_id(\\d+)': { GET: getUser, PATCH: updateUser, DELETE: deactivateUser },
  '/users/:user_id(\\d+)/reactivate': { POST: reactivateUser },
  '/users/:user_id(\\d+)/merge': { POST: mergeUser },
  '/users/:user_id(\\d+)/password_link': { POST: createPasswordLink },
  '/users/:user_id(\\d+)/moderate': { POST: moderateUser },
  '/users/:user_id(\\d+)/moderation': { GET: getModeration },
  '/users/:user_id(\\d+)/second_factor': { DELETE: resetSecondFactor },
  '/users/:user_id(\\d+)/linked_accounts': { DELETE: unlinkAccountsOf },
  '/users/:user_id(\\d+)/presence': { GET: getPresence },
  '/users/:user_id(\\d+)/status': { GET: getStatus, POST: updateStatusOf },
  '/users/:user_id(\\d+)/channels': { GET: getUserChannels },
  '/users/:email/presence': { GET: getPresenceByEmail },
  '/users/:email': { GET: getUserByEmail, PATCH: updateUserByEmail },
  '/settings': { PATCH: updateSettings },
  '/settings/display': { PATCH: updateSettings },
  '/settings/notifications': { PATCH: updateSettings },
}
