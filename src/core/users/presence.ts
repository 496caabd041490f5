import * as v from 'valibot'
import { action } from '../action.ts'
import { seconds } from '../clock.ts'
import type { Caller, Tx } from '../context.ts'
import { badRequest } from '../errors.ts'
import { everyone } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { bool, id, integer, none, text } from '../fields.ts'
import { PRESENCE_OFFLINE_SECONDS } from '../limits.ts'
import { settingsOf } from '../settings/organization.ts'
import { userSettingOf } from '../settings/user.ts'
import { findUser, type User } from '../user.ts'
import { findUserByEmail } from './access.ts'
import { legacyPresences, type Presence, slimPresences, statusOf } from './presence-view.ts'

/** POST /users/me/presence: says that the caller is there, and answers who else is. */
export const updatePresence = action(
  {
    summary: 'Update your presence',
    params: v.object({
      status: text,
      last_update_id: v.nullish(integer),
      history_limit_days: v.nullish(integer),
      new_user_input: v.nullish(bool, false),
      ping_only: v.nullish(bool, false),
      slim_presence: v.nullish(bool, false),
    }),
  },
  async (caller, { status, last_update_id, ping_only, slim_presence }) => {
    if (status !== 'active' && status !== 'idle') throw badRequest(`Invalid presence status: ${status}`)
    const { presence_disabled } = await settingsOf(caller)
    const shown = !presence_disabled && (await userSettingOf(caller, 'presence_enabled'))
    if (shown && caller.user.bot_type === null) await caller.write((tx) => recordPresence(tx, status))
    if (ping_only) return {}
    const since = last_update_id ?? undefined
    // Only clients that know the newer form can say how far they have come.
    return presenceAnswer(caller, {
      slim: slim_presence === true || since !== undefined,
      ...(since !== undefined && { since }),
    })
  },
)

/** GET /realm/presence */
export const getRealmPresence = action({ summary: 'Get the presence of all users', params: none }, async (caller) => {
  const { presences, server_timestamp } = await presenceAnswer(caller, { slim: false })
  return { presences, server_timestamp }
})

/** GET /users/{user_id}/presence */
export const getPresence = action(
  { summary: "Get a user's presence", params: v.object({ user_id: id }) },
  async (caller, { user_id }) => onePresence(caller, await findUser(caller.db, user_id)),
)

/** GET /users/{email}/presence */
export const getPresenceByEmail = action(
  { summary: "Get a user's presence by e-mail", params: v.object({ email: text }) },
  async (caller, { email }) => onePresence(caller, await findUserByEmail(caller.db, email)),
)

async function onePresence({ db, chat }: Caller, user: User | undefined) {
  if (!user?.is_active) throw badRequest('No such user')
  if (user.bot_type !== null) throw badRequest('Presence is not supported for bot users.')
  const row = await db.selectFrom('presence').selectAll().where('user_id', '=', user.id).executeTakeFirst()
  if (!row) throw badRequest(`No presence data for ${user.email}`)
  const now = seconds(chat.clock)
  const { status, timestamp } = statusOf(row, now)
  const aggregated = now - timestamp > PRESENCE_OFFLINE_SECONDS ? 'offline' : status
  return { presence: { aggregated: { status: aggregated, timestamp }, website: { status, timestamp } } }
}

async function recordPresence(tx: Tx, status: 'active' | 'idle'): Promise<void> {
  const { db, user, chat } = tx
  const now = seconds(chat.clock)
  const before = await db.selectFrom('presence').selectAll().where('user_id', '=', user.id).executeTakeFirst()
  const row = await putPresence(tx, {
    active_at: status === 'active' ? now : (before?.active_at ?? null),
    idle_at: now,
  })
  // Clients keep this fresh by asking; only who comes is told at once, else every ping would go to everybody.
  const known = before && (status === 'active' ? before.active_at : before.idle_at)
  if (known == null || now - known > PRESENCE_OFFLINE_SECONDS) await emitPresence(tx, row)
}

/** Someone who hides from now on looks as if they had left some time ago. */
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

async function putPresence(tx: Tx, times: Pick<Presence, 'active_at' | 'idle_at'>): Promise<Presence> {
  const row = { ...times, client: 'website', update_id: (await lastUpdate(tx)) + 1 }
  await tx.db
    .insertInto('presence')
    .values({ user_id: tx.user.id, ...row })
    .onConflict((oc) => oc.column('user_id').doUpdateSet(row))
    .execute()
  return { user_id: tx.user.id, ...row }
}

async function emitPresence(tx: Tx, row: Presence): Promise<void> {
  const { user, chat } = tx
  const website = { client: row.client, ...statusOf(row, seconds(chat.clock)), pushable: false }
  const { id: user_id, email } = user
  const server_timestamp = chat.clock.now() / 1000
  await emit(tx, { type: 'presence', user_id, email, server_timestamp, presence: { website } }, everyone)
}

/** Who was there lately, or what changed since an update the client has. */
export async function presenceAnswer(caller: Caller, { slim, since = -1 }: { slim: boolean; since?: number }) {
  const { db, chat } = caller
  const now = chat.clock.now() / 1000
  const presence_last_update_id = await lastUpdate(caller)
  const base = { presence_last_update_id, server_timestamp: now }
  if ((await settingsOf(caller)).presence_disabled) return { presences: {}, ...base }
  const rows = await db
    .selectFrom('presence')
    .innerJoin('user', 'user.id', 'presence.user_id')
    .selectAll('presence')
    .select('user.email')
    .where('update_id', '>', since)
    .orderBy('user_id')
    .execute()
  return { presences: slim ? slimPresences(rows) : legacyPresences(rows, Math.floor(now)), ...base }
}

async function lastUpdate({ db }: Pick<Caller, 'db'>): Promise<number> {
  const row = await db
    .selectFrom('presence')
    .select('update_id')
    .orderBy('update_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.update_id ?? -1
}
