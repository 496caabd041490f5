import * as v from 'valibot'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { statePart, withAccount } from '../events/log/state-part.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id, none } from '../kernel/fields.ts'
import { type DeviceView, deviceShape } from '../shapes/personal.ts'
import { empty } from '../shapes/values.ts'

/** An app registers a device at each start at which it knows no id, so the oldest ones give way. */
const MAX_DEVICES_PER_USER = 100

const unregistered: DeviceView = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}

/** The user's devices by id, in register's answer. */
export const deviceState = withAccount(
  statePart({ devices: v.record(v.string(), deviceShape) }, async ({ db, user }) => {
    const rows = await db.selectFrom('device').select('id').where('user_id', '=', user.id).orderBy('id').execute()
    return { devices: Object.fromEntries(rows.map((row) => [row.id, unregistered])) }
  }),
  { devices: {} },
)

/**
 * POST /register_client_device: a new device of the caller's, whether or not it is going to ask for push notifications.
 *
 * @throws USER_DEACTIVATED when the caller's account is deactivated
 * @example
 * const { device_id } = await registerDevice(ann)
 */
export const registerDevice = action(
  {
    name: 'registerDevice',
    summary: 'Register a device',
    params: none,
    result: v.strictObject({ device_id: id }),
    idempotencyKey: 'one write',
  },
  (caller) =>
    caller.write(async (tx) => {
      const user_id = tx.user.id
      const { id: device_id } = await tx.db
        .insertInto('device')
        .values({ user_id, created_at: seconds(tx.chat.clock) })
        .returning('id')
        .executeTakeFirstOrThrow()
      await emit(tx, { type: 'device', op: 'add', device_id }, only(user_id))
      await removeOldest(tx)
      return { device_id }
    }),
)

async function removeOldest(tx: Tx): Promise<void> {
  const rows = await tx.db
    .selectFrom('device')
    .select('id')
    .where('user_id', '=', tx.user.id)
    .orderBy('id', 'desc')
    .offset(MAX_DEVICES_PER_USER)
    .limit(1)
    .execute()
  for (const row of rows) await removeDevices(tx, tx.user.id, row.id)
}

/** Removes a user's devices, or one of them. Returns how many there were. */
export async function removeDevices(tx: Tx, user_id: number, device_id?: number): Promise<number> {
  let query = tx.db.deleteFrom('device').where('user_id', '=', user_id)
  if (device_id !== undefined) query = query.where('id', '=', device_id)
  const gone = await query.returning('id').execute()
  for (const { id } of gone) await emit(tx, { type: 'device', op: 'remove', device_id: id }, only(user_id))
  return gone.length
}

/**
 * POST /remove_client_device: apps call it when somebody signs out.
 *
 * @throws BAD_REQUEST "Invalid device ID" for a device that is not the caller's
 * @example
 * await removeDevice(ann, { device_id: 3 })
 */
export const removeDevice = action(
  {
    name: 'removeDevice',
    summary: 'Remove a device',
    params: v.object({ device_id: described(id, 'Id of the device.') }),
    result: empty,
  },
  (caller, { device_id }) =>
    caller.write(async (tx) => {
      if ((await removeDevices(tx, tx.user.id, device_id)) === 0) throw badRequest('Invalid device ID')
      return {}
    }),
)
