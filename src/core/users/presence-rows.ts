import { observersOf } from '../access/user-visibility.ts'
import type { Audience } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { seconds } from '../kernel/base/clock.ts'
import { PRESENCE_OFFLINE_SECONDS } from '../kernel/base/limits.ts'
import type { SystemTx, Tx } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'
import { settingsOf } from '../settings/organization.ts'
import { lastUpdate, presenceReportsOf } from './presence-reports.ts'
import { type Presence, type PresenceTimes, slimPresence, statusOf } from './presence-view.ts'

export async function recordPresence(tx: Tx, status: 'active' | 'idle'): Promise<void> {
  const { db, user, chat } = tx
  const now = seconds(chat.clock)
  const before = await db.selectFrom('presence').selectAll().where('user_id', '=', user.id).executeTakeFirst()
  const row = await putPresence(tx, {
    active_at: status === 'active' ? now : (before?.active_at ?? null),
    idle_at: now,
  })
  // Clients refresh this by polling. Only users who come online are announced immediately. Otherwise every ping would
  // go to everyone.
  const known = before && (status === 'active' ? before.active_at : before.idle_at)
  if (known == null || now - known > PRESENCE_OFFLINE_SECONDS) await emitPresence(tx, row)
}

/** A user who turns presence off appears to have left some time ago. */
export async function hidePresence(tx: Tx): Promise<void> {
  const { db, user, chat } = tx
  const before = await db.selectFrom('presence').selectAll().where('user_id', '=', user.id).executeTakeFirst()
  if (!before) return
  const past = seconds(chat.clock) - PRESENCE_OFFLINE_SECONDS - 10
  const earlier = (at: number | null) => (at === null ? null : Math.min(at, past))
  await emitPresence(
    tx,
    await putPresence(tx, { active_at: earlier(before.active_at), idle_at: earlier(before.idle_at) }),
  )
}

async function putPresence(tx: Tx, times: PresenceTimes): Promise<Presence> {
  presenceReportsOf(tx.chat).drop(tx.user.id)
  const row = { ...times, client: 'website', update_id: (await lastUpdate(tx)) + 1 }
  await tx.db
    .insertInto('presence')
    .values({ user_id: tx.user.id, ...row })
    .onConflict((oc) => oc.column('user_id').doUpdateSet(row))
    .execute()
  return { user_id: tx.user.id, ...row }
}

const emitPresence = async (tx: Tx, row: Presence): Promise<void> =>
  tellPresence(tx, tx.user, row, await observersOf(tx, tx.user))

/** Notifies readers when a user was last active, if ever. */
export async function emitPresenceTo(tx: SystemTx, user: User, readers: Audience): Promise<void> {
  const row = await tx.db.selectFrom('presence').selectAll().where('user_id', '=', user.id).executeTakeFirst()
  if (row && !(await settingsOf(tx)).presence_disabled) await tellPresence(tx, user, row, readers)
}

async function tellPresence(tx: SystemTx, user: User, row: Presence, readers: Audience): Promise<void> {
  const { chat } = tx
  const server_timestamp = seconds(chat.clock)
  const website = { client: row.client, ...statusOf(row, server_timestamp), pushable: false }
  const { id: user_id, email } = user
  await emit(
    tx,
    { type: 'presence', user_id, email, server_timestamp, presence: { website, slim: slimPresence(row) } },
    readers,
  )
}
