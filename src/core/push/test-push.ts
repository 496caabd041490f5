import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { ChatError } from '../kernel/errors.ts'
import { described, id } from '../kernel/fields.ts'
import { empty } from '../shapes/values.ts'
import { notify, payloadOf } from './push-devices.ts'
import { requirePushService } from './push-service.ts'

/**
 * POST /mobile_push/e2ee/test_notification: sends a notification to a device of the caller's, or to all of them.
 *
 * @throws PUSH_SERVICE_NOT_CONFIGURED if the operator named no push service
 * @throws NO_ACTIVE_PUSH_DEVICE if no such device is registered
 * @throws ADMIN_ACTION_REQUIRED if the service doesn't accept this server
 * @throws FAILED_TO_CONNECT_BOUNCER if the service can't be reached
 * @throws INTERNAL_SERVER_ERROR_ON_BOUNCER if the service fails
 */
export const testEncryptedNotification = action(
  {
    name: 'testEncryptedNotification',
    summary: 'Send an encrypted test notification',
    params: v.object({ device_id: described(v.nullish(id), 'ID of the device. Defaults to all devices.') }),
    result: empty,
    errors: [
      'PUSH_SERVICE_NOT_CONFIGURED',
      'NO_ACTIVE_PUSH_DEVICE',
      'ADMIN_ACTION_REQUIRED',
      'FAILED_TO_CONNECT_BOUNCER',
      'INTERNAL_SERVER_ERROR_ON_BOUNCER',
    ],
  },
  async (caller, { device_id }) => {
    requirePushService(caller)
    let query = caller.db
      .selectFrom('device')
      .selectAll()
      .where('user_id', '=', caller.user.id)
      .where('push_token_id', 'is not', null)
    if (device_id != null) query = query.where('id', '=', device_id)
    const devices = await query.orderBy('id').execute()
    if (devices.length === 0) throw new ChatError('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device')
    const payload = { type: 'test', ...(await payloadOf(caller)), time: seconds(caller.chat.clock) }
    const answer = await notify(caller, devices, payload, new AbortController().signal).catch(() => {
      throw new ChatError('FAILED_TO_CONNECT_BOUNCER', 'The push notification service could not be reached.')
    })
    if (answer.status === 401 || answer.status === 403) {
      throw new ChatError('ADMIN_ACTION_REQUIRED', 'The push notification service does not accept this server.')
    }
    if (answer.status >= 300) {
      throw new ChatError('INTERNAL_SERVER_ERROR_ON_BOUNCER', 'The push notification service failed.')
    }
    return {}
  },
)
