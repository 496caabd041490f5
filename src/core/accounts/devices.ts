import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { DeviceTable } from '../../storage/index.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { statePart, withAccount } from '../events/log/state-part.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { SystemTx, Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id, none } from '../kernel/fields.ts'
import { type DeviceView, deviceShape } from '../shapes/personal.ts'
import { empty } from '../shapes/values.ts'

/** An app without a stored ID registers a device at each start, so the oldest ones are removed. */
const MAX_DEVICES_PER_USER = 100

type Device = Selectable<DeviceTable>

const view = (device: Device): DeviceView => ({
  push_key_id: device.push_key_id,
  push_token_id: device.push_token_id,
  pending_push_token_id: device.pending_token_id,
  push_token_last_updated_timestamp: device.push_token_updated_at,
  push_registration_error_code: device.push_error,
})

/** @throws ChatError BAD_REQUEST "Invalid device ID" */
export async function ownDevice({ db, user }: Pick<Tx, 'db' | 'user'>, device_id: number): Promise<Device> {
  const device = await db
    .selectFrom('device')
    .selectAll()
    .where('id', '=', device_id)
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  if (!device) throw badRequest('Invalid device ID')
  return device
}

/** Changes a device's data for push notifications, and emits the visible part to its owner. */
export async function changeDevice(tx: SystemTx, before: Device, changes: Partial<Device>): Promise<void> {
  if (Object.keys(changes).length === 0) return
  const after = await tx.db
    .updateTable('device')
    .set(changes)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirst()
  // It may have been removed since.
  if (!after) return
  const [old, now] = [view(before), view(after)]
  const changed = Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== old[name as keyof DeviceView]),
  )
  if (Object.keys(changed).length === 0) return
  await emit(tx, { type: 'device', op: 'update', device_id: before.id, ...changed }, only(before.user_id))
}

/** The user's devices by id, in register's answer. */
export const deviceState = withAccount(
  statePart({ devices: v.record(v.string(), deviceShape) }, async ({ db, user }) => {
    const rows = await db.selectFrom('device').selectAll().where('user_id', '=', user.id).orderBy('id').execute()
    return { devices: Object.fromEntries(rows.map((row) => [row.id, view(row)])) }
  }),
  { devices: {} },
)

/**
 * POST /register_client_device: registers a device of the caller's, with or without push notifications.
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
export async function removeDevices(tx: SystemTx, user_id: number, device_id?: number): Promise<number> {
  let query = tx.db.deleteFrom('device').where('user_id', '=', user_id)
  if (device_id !== undefined) query = query.where('id', '=', device_id)
  const gone = await query.returning('id').execute()
  for (const { id } of gone) await emit(tx, { type: 'device', op: 'remove', device_id: id }, only(user_id))
  return gone.length
}

/** Ends the push notifications of a user's mobile devices, whose keys were revoked. Browsers' end with their sessions. */
export async function endPush(tx: SystemTx, user_id: number): Promise<void> {
  await removeDevices(tx, user_id)
  await tx.db.deleteFrom('push_token').where('user_id', '=', user_id).execute()
}

/**
 * POST /remove_client_device: removes a device. Apps call it when someone signs out.
 *
 * @throws BAD_REQUEST "Invalid device ID" for a device that is not the caller's
 * @example
 * await removeDevice(ann, { device_id: 3 })
 */
export const removeDevice = action(
  {
    name: 'removeDevice',
    summary: 'Remove a device',
    params: v.object({ device_id: described(id, 'ID of the device.') }),
    result: empty,
  },
  (caller, { device_id }) =>
    caller.write(async (tx) => {
      if ((await removeDevices(tx, tx.user.id, device_id)) === 0) throw badRequest('Invalid device ID')
      return {}
    }),
)
