import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import { empty } from '../shapes/values.ts'

const MAX_TOKENS_PER_USER = 100
type Kind = 'apns' | 'gcm'

const token = v.pipe(
  text,
  v.check((s) => s !== '' && s.length <= 4096, 'Empty or invalid length token'),
)
/** Apple's tokens are bytes in hexadecimal digits. */
const appleToken = v.pipe(token, v.regex(/^(?:[0-9a-f]{2})+$/i, 'Invalid APNS token'))
const TOKEN_SENTENCE = "The device's token from the platform's push service."

/** Stores a device of the caller's. Notifications aren't sent yet, as `push_notifications_enabled` says. */
const add = (caller: Caller, kind: Kind, token: string, app_id: string | null) =>
  caller.write(async (tx) => {
    const user_id = tx.user.id
    const rows = await tx.db.selectFrom('push_token').select(['kind', 'token']).where('user_id', '=', user_id).execute()
    // Apps register the same token again at each start.
    const others = rows.filter((row) => row.kind !== kind || row.token !== token)
    if (others.length >= MAX_TOKENS_PER_USER)
      throw badRequest(`You can register at most ${MAX_TOKENS_PER_USER} devices.`)
    await tx.db
      .insertInto('push_token')
      .values({ user_id, kind, token, app_id, created_at: seconds(tx.chat.clock) })
      .onConflict((oc) => oc.columns(['user_id', 'kind', 'token']).doUpdateSet({ app_id }))
      .execute()
    return {}
  })

const remove = (caller: Caller, kind: Kind, token: string) =>
  caller.write(async (tx) => {
    const gone = await tx.db
      .deleteFrom('push_token')
      .where('user_id', '=', tx.user.id)
      .where('kind', '=', kind)
      .where('token', '=', token)
      .returning('id')
      .executeTakeFirst()
    if (!gone) throw badRequest('Token does not exist')
    return {}
  })

/**
 * POST /users/me/apns_device_token: registers an Apple device.
 *
 * @throws BAD_REQUEST for an invalid token
 */
export const addApnsToken = action(
  {
    name: 'addApnsToken',
    summary: 'Add an APNs device token',
    params: v.object({
      token: described(appleToken, "The device's token from Apple, in hexadecimal digits."),
      appid: described(text, 'Bundle ID of the app.'),
    }),
    result: empty,
  },
  (caller, { token, appid }) => add(caller, 'apns', token, appid),
)

/**
 * DELETE /users/me/apns_device_token: removes an Apple device.
 *
 * @throws BAD_REQUEST "Token does not exist"
 */
export const removeApnsToken = action(
  {
    name: 'removeApnsToken',
    summary: 'Remove an APNs device token',
    params: v.object({ token: described(token, TOKEN_SENTENCE) }),
    result: empty,
  },
  (caller, { token }) => remove(caller, 'apns', token),
)

/**
 * POST /users/me/android_gcm_reg_id: registers an Android device.
 *
 * @throws BAD_REQUEST for an invalid token
 */
export const addFcmToken = action(
  {
    name: 'addFcmToken',
    summary: 'Add an FCM registration token',
    params: v.object({ token: described(token, TOKEN_SENTENCE) }),
    result: empty,
  },
  (caller, { token }) => add(caller, 'gcm', token, null),
)

/**
 * DELETE /users/me/android_gcm_reg_id: removes an Android device.
 *
 * @throws BAD_REQUEST "Token does not exist"
 */
export const removeFcmToken = action(
  {
    name: 'removeFcmToken',
    summary: 'Remove an FCM registration token',
    params: v.object({ token: described(token, TOKEN_SENTENCE) }),
    result: empty,
  },
  (caller, { token }) => remove(caller, 'gcm', token),
)

/**
 * POST /mobile_push/test_notification: checks the token and sends nothing.
 *
 * @throws INVALID_PUSH_DEVICE_TOKEN for a token that isn't registered
 */
export const testNotification = action(
  {
    name: 'testNotification',
    summary: 'Send a test notification to a mobile device',
    params: v.object({ token: described(v.nullish(text), 'Token of the device. Defaults to all devices.') }),
    result: empty,
    errors: ['INVALID_PUSH_DEVICE_TOKEN'],
  },
  async (caller, { token }) => {
    if (token == null) return {}
    const known = await caller.db
      .selectFrom('push_token')
      .select('id')
      .where('user_id', '=', caller.user.id)
      .where('token', '=', token)
      .executeTakeFirst()
    if (!known) throw new ChatError('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized')
    throw badRequest("This server doesn't send mobile push notifications.")
  },
)
