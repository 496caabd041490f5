import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { changeDevice, ownDevice } from '../accounts/devices.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { SystemTx } from '../kernel/context.ts'
import { badRequest, notPermitted } from '../kernel/errors.ts'
import { described, id, integer, text } from '../kernel/fields.ts'
import { isBot } from '../kernel/roles.ts'
import { mobilePushOf } from '../messages/send/message-workers.ts'
import { empty } from '../shapes/values.ts'
import { devicesToServe } from './devices-to-serve.ts'
import { requirePushService } from './push-service.ts'

const MAX_REGISTRATION_LENGTH = 10_000
/** The first byte of a key for libsodium's secretbox. */
const SECRETBOX = 0x31

const isBase64 = (value: string): boolean =>
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)
const bytesOf = (value: string): Buffer | undefined => (isBase64(value) ? Buffer.from(value, 'base64') : undefined)

const pushKey = v.pipe(
  text,
  v.check((key) => {
    const bytes = bytesOf(key)
    return bytes?.length === 33 && bytes[0] === SECRETBOX
  }, 'Invalid push_key'),
)
const keyId = v.pipe(
  integer,
  v.check((n) => n >= 0 && n < 2 ** 32, 'Invalid push_key_id'),
)
const tokenId = v.pipe(
  text,
  v.check((value) => bytesOf(value)?.length === 8, 'Invalid token_id'),
)
const sealed = v.pipe(
  text,
  v.check((value) => value !== '' && value.length <= MAX_REGISTRATION_LENGTH && isBase64(value), 'Invalid {name}'),
)

/**
 * POST /mobile_push/register: registers a device with the push service, or replaces its key or token. The service
 * answers in the background, and `device` events report the result. Repeating a request changes nothing.
 *
 * @throws PUSH_SERVICE_NOT_CONFIGURED if the operator named no push service
 * @throws BAD_REQUEST for another user's device, incomplete parameters, and while another registration is pending
 */
export const registerPush = action(
  {
    name: 'registerPush',
    summary: 'Register a device for push notifications',
    params: v.object({
      device_id: described(id, 'ID of the device.'),
      push_key_id: described(v.nullish(keyId), "The client's ID for the key."),
      push_key: described(v.nullish(pushKey), 'The byte 0x31 and a secretbox key, in base64.'),
      token_kind: described(v.nullish(v.picklist(['apns', 'fcm'], 'Invalid token_kind')), 'The platform: apns or fcm.'),
      token_id: described(v.nullish(tokenId), "First 8 bytes of the SHA-256 of the platform's token, in base64."),
      bouncer_public_key: described(
        v.nullish(sealed),
        'Public key of the push service, used to encrypt `encrypted_push_registration`.',
      ),
      encrypted_push_registration: described(v.nullish(sealed), 'The registration, encrypted for the push service.'),
    }),
    result: empty,
    errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
  },
  async (caller, { device_id, ...given }) => {
    requirePushService(caller)
    if (isBot(caller.user)) throw notPermitted()
    return caller.write(async (tx) => {
      const device = await ownDevice(tx, device_id)
      const { push_key_id, push_key, token_kind, token_id, bouncer_public_key, encrypted_push_registration } = given
      const key = push_key_id != null && push_key != null ? { push_key_id, push_key } : undefined
      const token =
        token_kind != null && token_id != null && bouncer_public_key != null && encrypted_push_registration != null
          ? { token_kind, token_id, bouncer_public_key, encrypted_push_registration }
          : undefined
      const named = Object.values(given).filter((value) => value != null).length
      if (named === 0 || named !== (key ? 2 : 0) + (token ? 4 : 0)) {
        throw badRequest('Missing parameters: must provide either all push key fields, all token fields, or both.')
      }
      const isRegistered = device.push_key !== null && (device.push_token_id ?? device.pending_token_id) !== null
      if (key && !token && !isRegistered) throw badRequest('No push registration exists to rotate key for.')
      const isKnown = token && [device.push_token_id, device.pending_token_id].includes(token.token_id)
      if (token && !isKnown && device.pending_token_id !== null) {
        throw badRequest('A registration for the device already in progress.')
      }
      if (token && !key && !isRegistered) throw badRequest('No push registration exists to rotate token for.')
      await changeDevice(tx, device, {
        ...key,
        ...(token &&
          !isKnown && {
            pending_token_kind: token.token_kind,
            pending_token_id: token.token_id,
            pending_registration: token.encrypted_push_registration,
            pending_public_key: token.bouncer_public_key,
            pending_attempts: 0,
            pending_next_at: seconds(tx.chat.clock),
            push_error: null,
          }),
      })
      if (token && !isKnown) await forgetClassicToken(tx, device.user_id, token.token_id)
      devicesToServe.invalidate(tx)
      tx.afterCommit(() => mobilePushOf(tx.chat).wake())
      return {}
    })
  },
)

/** Removes the same device's token of the classic endpoints. */
async function forgetClassicToken(tx: SystemTx, user_id: number, token_id: string): Promise<void> {
  const rows = await tx.db.selectFrom('push_token').select(['id', 'token']).where('user_id', '=', user_id).execute()
  for (const { id, token } of rows) {
    const digest = createHash('sha256').update(token).digest().subarray(0, 8).toString('base64')
    if (digest === token_id) await tx.db.deleteFrom('push_token').where('id', '=', id).execute()
  }
}
