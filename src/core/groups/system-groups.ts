import { fold } from '../../storage/index.ts'
import { groupGraph } from '../access/group-graph.ts'
import { systemMembership } from '../access/group-members.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import type { SystemTx, Tx } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'
import { type SystemGroupName, systemGroupNames } from '../settings/group-setting-value.ts'
import { storedGroups } from './stored.ts'

const descriptions: Readonly<Record<SystemGroupName, string>> = {
  'role:nobody': 'Nobody',
  'role:owners': 'Owners of this organization',
  'role:administrators': 'Administrators of this organization, including owners',
  'role:moderators': 'Moderators of this organization, including administrators',
  'role:fullmembers':
    'Members of this organization, not including new accounts and guests, but including other roles above',
  'role:members': 'Members of this organization, not including guests',
  'role:everyone': 'Everyone in this organization, including guests',
  'role:internet': 'Everyone on the Internet',
}

/** Creates the groups that follow roles, each contained in the next. Every organization has them. */
export async function createSystemGroups(tx: SystemTx): Promise<void> {
  let inner: number | undefined
  for (const name of systemGroupNames) {
    const { id } = await tx.db
      .insertInto('user_group')
      .values({
        name,
        name_key: fold(name),
        description: descriptions[name],
        is_system_group: 1,
        creator_id: null,
        date_created: null,
        is_deactivated: 0,
        settings: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (name === 'role:nobody') continue
    if (inner !== undefined) {
      await tx.db.insertInto('user_group_subgroup').values({ group_id: id, subgroup_id: inner }).execute()
    }
    inner = id
  }
  groupGraph.invalidate(tx)
  storedGroups.invalidate(tx)
}

type Member = Pick<User, 'role' | 'date_joined'>

/** Emits which system groups new accounts are in: one event per group. Call it after the accounts' own events. */
export async function emitNewMembers(tx: Tx, users: readonly (Member & Pick<User, 'id'>)[]): Promise<void> {
  const { systemId } = await groupGraph.get(tx)
  const isMember = await systemMembership(tx)
  for (const name of systemGroupNames) {
    const group_id = systemId.get(name)
    const user_ids = users.filter((user) => isMember(name, user)).map((user) => user.id)
    if (!group_id || user_ids.length === 0) continue
    await emit(tx, { type: 'user_group', op: 'add_members', group_id, user_ids }, everyone)
  }
}

/**
 * Emits which system groups a user left and joined after a change of role, a deactivation (no `after`) or a
 * reactivation (no `before`). Everything that changes an account must call it, after its own event.
 */
export async function emitSystemGroupChanges(
  tx: Tx,
  user_id: number,
  before: Member | undefined,
  after: Member | undefined,
): Promise<void> {
  const { systemId } = await groupGraph.get(tx)
  const isMember = await systemMembership(tx)
  for (const [op, from, to] of [
    ['remove_members', before, after],
    ['add_members', after, before],
  ] as const) {
    for (const name of systemGroupNames) {
      const group_id = systemId.get(name)
      if (!group_id || !from || !isMember(name, from) || (to && isMember(name, to))) continue
      await emit(tx, { type: 'user_group', op, group_id, user_ids: [user_id] }, everyone)
    }
  }
}
