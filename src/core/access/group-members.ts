import { statement } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Caller } from '../kernel/context.ts'
import { roles } from '../kernel/roles.ts'
import { byDialect, dialectOf } from '../kernel/store.ts'
import { newestUserId, type User } from '../kernel/user.ts'
import type { SystemGroupName } from '../settings/group-setting-value.ts'
import { settingsOf } from '../settings/organization.ts'
import { groupGraph, isDirectSystemMember, withSubgroups } from './group-graph.ts'

/** Returns a function that checks whether a user is a direct member of a system group. Use it to check many users. */
export async function systemMembership(
  caller: Caller,
): Promise<(name: SystemGroupName, user: Pick<User, 'role' | 'date_joined'>) => boolean> {
  const { waiting_period_threshold: days } = await settingsOf(caller)
  const joinedBy = seconds(caller.chat.clock) - days * 86_400
  return (name, user) => isDirectSystemMember(name, user, user.date_joined <= joinedBy)
}

/** Returns the active direct members of each of these system groups, by id. One query. */
export async function systemMembers<N extends SystemGroupName>(
  caller: Caller,
  names: readonly N[],
): Promise<Map<N, number[]>> {
  const isMember = await systemMembership(caller)
  const users = await caller.db
    .selectFrom('user')
    .select(['id', 'role', 'date_joined'])
    .where('is_active', '=', 1)
    .where('is_system_bot', '=', 0)
    .orderBy('id')
    .execute()
  return new Map(names.map((name) => [name, users.filter((user) => isMember(name, user)).map((user) => user.id)]))
}

/** Roles whose users can be direct members of a system group. */
const rolesIn: Readonly<Record<SystemGroupName, readonly number[]>> = {
  'role:nobody': [],
  'role:owners': [roles.owner],
  'role:administrators': [roles.administrator],
  'role:moderators': [roles.moderator],
  'role:fullmembers': [roles.member],
  'role:members': [roles.member],
  'role:everyone': [roles.guest],
  'role:internet': [],
}

const activeOf = statement((db, p: { stream_id: number }) =>
  db
    .selectFrom('subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    .select('user.id')
    .where('subscription.stream_id', '=', p.stream_id)
    .where('subscription.is_active', '=', 1)
    .where('user.is_active', '=', 1)
    .where('user.is_system_bot', '=', 0)
    .orderBy('subscription.user_id'),
)

const activeIn = byDialect(({ idsIn }) =>
  statement((db, p: { stream_id: number; ids: readonly number[] }) =>
    db
      .selectFrom('user')
      .innerJoin('subscription', 'subscription.user_id', 'user.id')
      .select('user.id')
      .where('user.id', 'in', idsIn(p.ids))
      .where('user.is_active', '=', 1)
      .where('user.is_system_bot', '=', 0)
      .where('subscription.stream_id', '=', p.stream_id)
      .where('subscription.is_active', '=', 1)
      .orderBy('user.id'),
  ),
)

const activeAmong = byDialect(({ idsIn }) =>
  statement((db, p: { ids: readonly number[] }) =>
    db
      .selectFrom('user')
      .select('id')
      .where('id', 'in', idsIn(p.ids))
      .where('is_active', '=', 1)
      .where('is_system_bot', '=', 0)
      .orderBy('id'),
  ),
)

async function activeMembers({ chat, db }: Caller, named: ReadonlySet<number>, stream_id: number | undefined) {
  const ids = [...named]
  if (stream_id === undefined) return activeAmong(chat)(db, { ids })
  // If the groups include most of the organization, reading the whole stream takes half as long as looking up each
  // user.
  const areMost = 2 * ids.length > (await newestUserId(db))
  if (areMost) return (await activeOf(db, { stream_id })).filter(({ id }) => named.has(id))
  return activeIn(chat)(db, { ids, stream_id })
}

/**
 * Returns the active users in these groups and their subgroups, by id. One query.
 *
 * @param stream_id - returns only subscribers of this stream
 */
export async function expandGroups(
  caller: Caller,
  group_ids: readonly number[],
  stream_id?: number,
): Promise<number[]> {
  const graph = await groupGraph.get(caller)
  const groups = [...withSubgroups(graph, group_ids)]
  const named = new Set(groups.flatMap((id) => [...(graph.members.get(id) ?? [])]))
  const system = groups.flatMap((id) => graph.systemName.get(id) ?? [])
  const wantedRoles = new Set(system.flatMap((name) => rolesIn[name]))
  if (named.size === 0 && wantedRoles.size === 0) return []
  const { idsIn } = dialectOf(caller.chat)
  if (wantedRoles.size === 0) {
    const rows = await activeMembers(caller, named, stream_id)
    return rows.map(({ id }) => id)
  }
  let query = caller.db
    .selectFrom('user')
    .select(['id', 'role', 'date_joined'])
    .where('is_active', '=', 1)
    .where('is_system_bot', '=', 0)
    .where((eb) => eb.or([eb('id', 'in', idsIn([...named])), eb('role', 'in', idsIn([...wantedRoles]))]))
    .orderBy('id')
  if (stream_id !== undefined) {
    query = query.where('id', 'in', (eb) =>
      eb
        .selectFrom('subscription')
        .select('user_id')
        .where('stream_id', '=', stream_id)
        .where('subscription.is_active', '=', 1),
    )
  }
  const rows = await query.execute()
  const isMember = await systemMembership(caller)
  return rows.filter((user) => named.has(user.id) || system.some((name) => isMember(name, user))).map((user) => user.id)
}

/**
 * Returns the active users in a group, directly or through subgroups: the users that a mention of the group notifies.
 */
export const expandGroup = (caller: Caller, group_id: number): Promise<number[]> => expandGroups(caller, [group_id])
