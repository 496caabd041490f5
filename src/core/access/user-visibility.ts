import { type ExpressionWrapper, expressionBuilder, type SqlBool } from 'kysely'
import type { Tables } from '../../storage/index.ts'
import { type Audience, everyone } from '../events/log/audience.ts'
import type { Caller, Context } from '../kernel/context.ts'
import { isGuest, roles } from '../kernel/roles.ts'
import { dialectOf } from '../kernel/store.ts'
import type { User } from '../kernel/user.ts'
import { settingsOf } from '../settings/organization.ts'
import { groupGraph } from './group-graph.ts'

type Condition = ExpressionWrapper<Tables, 'user', SqlBool>
const userRow = expressionBuilder<Tables, 'user'>()

/** Returns whether guests see only users in a stream or conversation of theirs. */
export async function areGuestsLimited(context: Context): Promise<boolean> {
  const { can_access_all_users_group: value } = await settingsOf(context)
  if (value === 'role:everyone') return false
  return value !== (await groupGraph.get(context)).systemId.get('role:everyone')
}

/** Returns whether some users are invisible to the caller. Needs no query for members. */
export const isLimited = async (caller: Caller): Promise<boolean> =>
  isGuest(caller.user) && (await areGuestsLimited(caller))

/** Rows of `user` with this id, and users who share a stream or a direct conversation with that user. */
const sharesWith = (user_id: number): Condition =>
  userRow.or([
    userRow('user.id', '=', user_id),
    userRow.exists(
      userRow
        .selectFrom('subscription as own')
        .innerJoin('subscription as theirs', 'theirs.stream_id', 'own.stream_id')
        .select('theirs.user_id')
        .where('own.user_id', '=', user_id)
        .where('own.is_active', '=', 1)
        .where('theirs.is_active', '=', 1)
        .whereRef('theirs.user_id', '=', 'user.id'),
    ),
    userRow.exists(
      userRow
        .selectFrom('direct_participant as own')
        .innerJoin('direct_participant as theirs', 'theirs.conversation_id', 'own.conversation_id')
        .select('theirs.user_id')
        .where('own.user_id', '=', user_id)
        .whereRef('theirs.user_id', '=', 'user.id'),
    ),
  ])

/**
 * Returns which users the caller may see, as a condition on rows of `user`. The only place that decides. Members see
 * everyone. Guests whom the organization limits see bots and the users in their streams and direct
 * conversations.
 */
export async function knownTo(caller: Caller): Promise<Condition> {
  if (!(await isLimited(caller))) return userRow.and([])
  return userRow.or([userRow('user.bot_type', 'is not', null), sharesWith(caller.user.id)])
}

const none: ReadonlySet<number> = new Set()

/** Returns the users that are invisible to the caller. */
export async function unknownAmong(caller: Caller, user_ids: Iterable<number>): Promise<ReadonlySet<number>> {
  if (!(await isLimited(caller))) return none
  const unknown = new Set(user_ids)
  if (unknown.size === 0) return unknown
  const known = await caller.db
    .selectFrom('user')
    .select('user.id')
    .where('user.id', 'in', dialectOf(caller.chat).idsIn([...unknown]))
    .where(await knownTo(caller))
    .execute()
  for (const { id } of known) unknown.delete(id)
  return unknown
}

/** Returns the audience of events about this user. */
export async function observersOf(context: Context, user: Pick<User, 'id' | 'bot_type'>): Promise<Audience> {
  if (user.bot_type !== null || !(await areGuestsLimited(context))) return everyone
  const guests = await context.db
    .selectFrom('user')
    .select('user.id')
    .where('user.role', '=', roles.guest)
    .where(sharesWith(user.id))
    .orderBy('user.id')
    .execute()
  // Includes the user: a guest who becomes a member still receives the event with a guest's rights.
  return { role: roles.member, users: [...new Set([user.id, ...guests.map((guest) => guest.id)])] }
}

/** Returns the guests who can't see this user. */
export async function strangersTo(context: Context, user: Pick<User, 'id' | 'bot_type'>): Promise<number[]> {
  if (user.bot_type !== null || !(await areGuestsLimited(context))) return []
  const guests = await context.db
    .selectFrom('user')
    .select('user.id')
    .where('user.role', '=', roles.guest)
    .where(userRow.not(sharesWith(user.id)))
    .orderBy('user.id')
    .execute()
  return guests.map((guest) => guest.id)
}
