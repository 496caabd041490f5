import { seconds } from '../kernel/base/clock.ts'
import { randomText } from '../kernel/base/random.ts'
import type { Chat } from '../kernel/chat.ts'
import { contextOf, type SystemTx, type Tx } from '../kernel/context.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { settingsOfUser } from '../settings/user.ts'
import { deviceDigest } from './second-factor/known-device.ts'

const YEAR = 365 * 86_400
/** Devices remembered for an account: the ones that signed in last. Programs can sign in with any number of names. */
export const MAX_KNOWN_DEVICES = 100

/**
 * Remembers the device of a sign-in, and emails a notice of a new one. The first one is not news: it is how the account
 * begins.
 */
export async function noteDevice(tx: SystemTx, user_id: number, name: string): Promise<void> {
  const { chat, db, address } = tx
  const last_used_at = seconds(chat.clock)
  const digest = deviceDigest(tx, user_id, name)
  const first = await db.selectFrom('known_device').select('id').where('user_id', '=', user_id).executeTakeFirst()
  const known = await db
    .updateTable('known_device')
    .set({ last_used_at })
    .where('user_id', '=', user_id)
    .where('digest', '=', digest)
    .returning('id')
    .executeTakeFirst()
  if (known) return
  await db.insertInto('known_device').values({ user_id, digest, last_used_at }).execute()
  await db
    .deleteFrom('known_device')
    .where('user_id', '=', user_id)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('known_device')
        .select('id')
        .where('user_id', '=', user_id)
        .orderBy('last_used_at', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_KNOWN_DEVICES)
        .offset(MAX_KNOWN_DEVICES),
    )
    .execute()
  if (!first || !(await settingsOfUser(tx, user_id)).enable_login_emails) return
  // A thief could revoke the key immediately, so the email doesn't depend on its row.
  const data = { device: name, address: address ?? '', at: last_used_at }
  await enqueueMail(tx, { kind: 'sign_in', once: `sign in ${user_id} ${randomText(chat.random, 16)}`, user_id, data })
}

/**
 * Forgets all devices of an account except the one of the request, so that all others are new again. That device
 * stays, because the first device of an account is not announced.
 */
export async function forgetOtherDevices(tx: Tx): Promise<void> {
  const { db, key_id, user } = tx
  const key =
    key_id === undefined
      ? undefined
      : await db.selectFrom('api_key').select('name').where('id', '=', key_id).executeTakeFirst()
  await db.deleteFrom('known_device').where('user_id', '=', user.id).execute()
  await noteDevice(tx, user.id, key?.name ?? '')
}

/** Forgets devices that have not signed in for a year. */
export const removeOldDevices = (chat: Chat): Promise<void> =>
  contextOf(chat).write(
    async ({ db }) =>
      void (await db
        .deleteFrom('known_device')
        .where('last_used_at', '<', seconds(chat.clock) - YEAR)
        .execute()),
  )
