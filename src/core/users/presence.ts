import * as v from 'valibot'
import { knownTo } from '../access/user-visibility.ts'
import { writeTransient } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { PRESENCE_OFFLINE_SECONDS } from '../kernel/base/limits.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { bool, count, described, id, integer, none, text } from '../kernel/fields.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { findUser, type User } from '../kernel/user.ts'
import { settingsOf } from '../settings/organization.ts'
import { userSettingOf } from '../settings/user.ts'
import { legacyPresenceShape, presencesShape, userPresenceShape } from '../shapes/presence.ts'
import { requireKnown } from './access.ts'
import { findUserByAddress } from './email.ts'
import { isLarge } from './people.ts'
import { lastUpdate, presenceReportsOf } from './presence-reports.ts'
import { recordPresence } from './presence-rows.ts'
import { legacyPresences, slimPresence, slimPresences, statusOf } from './presence-view.ts'

/**
 * POST /users/me/presence: reports that the caller is active or idle, and returns all users' presence.
 *
 * @throws BAD_REQUEST for a status that is neither active nor idle
 */
export const updatePresence = action(
  {
    name: 'updatePresence',
    summary: 'Update your presence',
    params: v.object({
      status: described(v.picklist(['active', 'idle'], 'Invalid presence status: {value}'), '"active" or "idle".'),
      last_update_id: described(
        v.nullish(integer),
        'ID of the last update that the client received. The response has only later changes, in the newer format.',
      ),
      history_limit_days: described(
        v.nullish(count),
        'Maximum age of returned presences in days. Unlimited by default.',
      ),
      new_user_input: described(v.nullish(bool, false), 'Ignored.'),
      ping_only: described(v.nullish(bool, false), 'Whether to return no presences.'),
      slim_presence: described(v.nullish(bool, false), 'Whether to return presences in the newer format, by user ID.'),
    }),
    result: v.strictObject({
      presences: v.exactOptional(presencesShape),
      server_timestamp: v.exactOptional(v.number()),
      presence_last_update_id: v.exactOptional(integer),
    }),
  },
  async (caller, { status, last_update_id, history_limit_days, ping_only, slim_presence }) => {
    const { presence_disabled } = await settingsOf(caller)
    const shown = !presence_disabled && (await userSettingOf(caller, 'presence_enabled'))
    if (shown && caller.user.bot_type === null) await reportPresence(caller, status)
    if (ping_only) return {}
    const since = last_update_id ?? undefined
    // Only clients that know the newer form send their last update id.
    return presenceAnswer(caller, {
      slim: slim_presence === true || since !== undefined,
      ...(since !== undefined && { since }),
      days: history_limit_days ?? undefined,
    })
  },
)

/**
 * In a large organization, each event would go to everyone. Its clients poll instead, and get changes up to a second
 * ago.
 */
async function reportPresence(caller: Caller, status: 'active' | 'idle'): Promise<void> {
  if (await isLarge.get(caller)) presenceReportsOf(caller.chat).note(caller.user.id, status)
  else await writeTransient(caller, (tx) => recordPresence(tx, status))
}

/**
 * GET /realm/presence: returns all users' presence.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const getRealmPresence = action(
  {
    name: 'getRealmPresence',
    summary: 'Get the presence of all users',
    params: none,
    result: v.strictObject({ presences: v.record(v.string(), legacyPresenceShape), server_timestamp: v.number() }),
  },
  async (caller) => {
    const { rows, server_timestamp } = await presenceRows(caller)
    return { presences: legacyPresences(rows, Math.floor(server_timestamp)), server_timestamp }
  },
)

const onePresenceShape = v.strictObject({ presence: userPresenceShape, server_timestamp: v.number() })

/**
 * GET /users/{user_id}/presence: returns a user's presence.
 *
 * @throws BAD_REQUEST "No such user", for a bot, and for a user without any report
 */
export const getPresence = action(
  {
    name: 'getPresence',
    summary: "Get a user's presence",
    params: v.object({ user_id: described(id, 'ID of the user.') }),
    result: onePresenceShape,
  },
  async (caller, { user_id }) => onePresence(caller, await findUser(caller.db, user_id)),
)

/**
 * GET /users/{email}/presence: returns a user's presence.
 *
 * @throws BAD_REQUEST "No such user", for a bot, and for a user without any report
 */
export const getPresenceByEmail = action(
  {
    name: 'getPresenceByEmail',
    summary: "Get a user's presence by email",
    params: v.object({ email: described(text, 'Email address of the account.') }),
    result: onePresenceShape,
  },
  async (caller, { email }) => onePresence(caller, await findUserByAddress(caller, email)),
)

async function onePresence(caller: Caller, found: User | undefined): Promise<v.InferOutput<typeof onePresenceShape>> {
  const { db, chat } = caller
  const user = await requireKnown(caller, found)
  if (!user.is_active) throw badRequest('No such user')
  if (user.bot_type !== null) throw badRequest('Presence is not supported for bot users.')
  const row = await db.selectFrom('presence').selectAll().where('user_id', '=', user.id).executeTakeFirst()
  if (!row) throw badRequest(`No presence data for ${user.email}`)
  const now = seconds(chat.clock)
  const { status, timestamp } = statusOf(row, now)
  const aggregated = now - timestamp > PRESENCE_OFFLINE_SECONDS ? 'offline' : status
  const older = { aggregated: { status: aggregated, timestamp }, website: { status, timestamp } } as const
  return { presence: { ...slimPresence(row), ...older }, server_timestamp: chat.clock.now() / 1000 }
}

interface Wanted {
  /** By user id instead of email address. */
  slim: boolean
  since?: number
  /** How many days back. */
  days?: number | undefined
}

/** Recent presence of all users, or what changed since an update the client has. */
export async function presenceAnswer(caller: Caller, { slim, since, days }: Wanted) {
  const { rows, ...answer } = await presenceRows(caller, since, days)
  const presences = slim ? slimPresences(rows) : legacyPresences(rows, Math.floor(answer.server_timestamp))
  return { presences, ...answer }
}

async function presenceRows(caller: Caller, since = -1, days?: number) {
  const { db, chat } = caller
  const presence_last_update_id = await lastUpdate(caller)
  const answer = { presence_last_update_id, server_timestamp: chat.clock.now() / 1000 }
  const isShown = !isSpectator(caller.user) && !(await settingsOf(caller)).presence_disabled
  if (!isShown) return { rows: [], ...answer }
  const rows = await db
    .selectFrom('presence')
    .innerJoin('user', 'user.id', 'presence.user_id')
    .selectAll('presence')
    .select('user.email')
    .where('update_id', '>', since)
    // At least 0, because this many days may be more seconds than the database's numbers allow.
    .where('idle_at', '>=', days === undefined ? 0 : Math.max(0, seconds(chat.clock) - days * 86_400))
    .where(await knownTo(caller))
    .orderBy('user_id')
    .execute()
  return { rows, ...answer }
}
