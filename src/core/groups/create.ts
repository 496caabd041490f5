import * as v from 'valibot'
import { fold } from '../../storage/index.ts'
import { groupGraph } from '../access/group-graph.ts'
import { requirePermission } from '../access/permissions.ts'
import { requireVoice } from '../access/silence.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { MAX_GROUPS } from '../kernel/base/limits.ts'
import { uniqueSorted } from '../kernel/base/lists.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, ids } from '../kernel/fields.ts'
import { requireAllowedFields } from '../review/filters/require.ts'
import { newPermissionParams } from '../settings/setting.ts'
import { id } from '../shapes/values.ts'
import { accessGroupsInUse, requireActiveUsers } from './access.ts'
import { checkPermission } from './check-setting.ts'
import { insertMembers } from './members.ts'
import { groupDescription, groupName, requireFreeName } from './names.ts'
import { type GroupSettings, groupSettingNames, groupSettings } from './settings.ts'
import { storedGroups } from './stored.ts'
import { insertSubgroups } from './subgroups.ts'
import { groupViews } from './view.ts'

/**
 * POST /user_groups/create: creates a group. The caller becomes its manager, and a member only when listed.
 *
 * @throws SILENCED while a moderator has silenced the caller
 * @throws BAD_REQUEST without the permission
 * @throws BAD_REQUEST if the name is taken, for an unknown member, or if there is the maximum number of groups
 * @example
 * const { group_id } = await createGroup(caller, { name: 'cooks', description: '', members: [user_id] })
 */
export const createGroup = action(
  {
    name: 'createGroup',
    summary: 'Create a user group',
    audit: { subject: 'group', made: ({ group_id }) => group_id },
    params: v.object({
      name: described(groupName, 'Name of the group.'),
      description: described(groupDescription, 'Description of the group.'),
      members: described(ids, 'IDs of the initial members.'),
      subgroups: described(v.nullish(ids), 'IDs of its subgroups.'),
      ...newPermissionParams(groupSettings),
    }),
    result: v.strictObject({ group_id: id }),
    idempotencyKey: 'one write',
    errors: ['SILENCED'],
  },
  (caller, { name, description, members, subgroups, ...requested }) =>
    caller.write(async (tx) => {
      await requirePermission(tx, 'can_create_groups')
      await requireFreeName(tx, name)
      await requireVoice(tx)
      await requireAllowedFields(tx, { name, description })
      await requireActiveUsers(tx, members)
      await accessGroupsInUse(tx, subgroups ?? [])
      const settings = await checkSettings(tx, requested)
      return { group_id: await addGroup(tx, { name, description, members, subgroups: subgroups ?? [], settings }) }
    }),
)

interface NewGroup {
  name: string
  description: string
  members: readonly number[]
  subgroups: readonly number[]
  settings: GroupSettings
}

/** Creates a group whose name is free. */
export async function addGroup(tx: Tx, { name, description, members, subgroups, settings }: NewGroup): Promise<number> {
  await requireRoom(tx)
  const group = await tx.db
    .insertInto('user_group')
    .values({
      name,
      name_key: fold(name),
      description,
      is_system_group: 0,
      creator_id: tx.user.id,
      date_created: seconds(tx.chat.clock),
      is_deactivated: 0,
      settings: JSON.stringify(settings),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertMembers(tx, group.id, uniqueSorted(members))
  await insertSubgroups(tx, group.id, uniqueSorted(subgroups))
  groupGraph.invalidate(tx)
  storedGroups.invalidate(tx)
  const [view] = await groupViews(tx, [group])
  await emit(tx, { type: 'user_group', op: 'add', group: view! }, everyone)
  return group.id
}

async function requireRoom({ db }: Tx): Promise<void> {
  const { count } = await db
    .selectFrom('user_group')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= MAX_GROUPS) throw badRequest(`An organization can have at most ${MAX_GROUPS} user groups.`)
}

type Requested = { [N in keyof GroupSettings]?: GroupSettings[N] | null | undefined }

async function checkSettings(tx: Tx, requested: Requested): Promise<GroupSettings> {
  const settings: GroupSettings = {}
  for (const name of groupSettingNames) {
    const value = requested[name]
    if (value != null) settings[name] = await checkPermission(tx, name, groupSettings[name], value)
  }
  return settings
}
