import * as v from 'valibot'
import { fold } from '../../storage/index.ts'
import { groupGraph, groupSettingView } from '../access/group-graph.ts'
import { requireVoice } from '../access/silence.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id } from '../kernel/fields.ts'
import { requireAllowedFields } from '../review/filters/require.ts'
import type { GroupSettingChange } from '../settings/group-setting-value.ts'
import { changeParams, type Given } from '../settings/setting.ts'
import type { GroupView } from '../shapes/group.ts'
import { empty } from '../shapes/values.ts'
import { accessChangeableGroup, accessGroup, accessOrdinaryGroup, requireGroupPermission } from './access.ts'
import { checkPermissionChange, sameSetting } from './check-setting.ts'
import { groupDescription, groupName, requireFreeName } from './names.ts'
import { type Group, type GroupSettings, groupSetting, groupSettingNames, groupSettings } from './settings.ts'
import { storedGroups } from './stored.ts'
import { groupViews } from './view.ts'

const fields = {
  name: described(v.nullish(groupName), 'The new name.'),
  description: described(v.nullish(groupDescription), 'The new description.'),
  deactivated: described(v.nullish(v.literal(false, 'Invalid {name}')), '`false` reactivates a deactivated group.'),
  ...changeParams(groupSettings),
}

/**
 * PATCH /user_groups/{id}: changes a group.
 *
 * @throws SILENCED for a new name or description while a moderator has silenced the caller
 * @throws BAD_REQUEST without the permission
 * @throws EXPECTATION_MISMATCH if a permission's `old` value isn't the current one
 * @throws BAD_REQUEST "Invalid user group", and for a name that is taken
 */
export const updateGroup = action(
  {
    name: 'updateGroup',
    summary: 'Update a user group',
    audit: { subject: 'group', id: ({ user_group_id }) => user_group_id },
    params: v.object({ user_group_id: described(id, 'ID of the user group.'), ...fields }),
    result: empty,
    errors: ['EXPECTATION_MISMATCH', 'SILENCED'],
  },
  async (caller, { user_group_id, name, description, deactivated, ...requested }) => {
    const settings = groupSettingNames.filter((setting) => requested[setting] != null)
    if (name == null && description == null && deactivated == null && settings.length === 0)
      throw badRequest('No new data supplied')
    await caller.write(async (tx) => {
      const group =
        deactivated === false
          ? await accessChangeableGroup(tx, user_group_id)
          : await accessOrdinaryGroup(tx, user_group_id)
      await requireGroupPermission(tx, group, 'can_manage_group')
      if (name != null && name !== group.name) await requireFreeName(tx, name, group.id)
      const changed = await changedSettings(tx, group, requested)
      const data = {
        ...(name != null && name !== group.name && { name }),
        ...(description != null && description !== group.description && { description }),
        ...changed,
        ...(deactivated === false && group.is_deactivated === 1 && { deactivated }),
      }
      if (Object.keys(data).length === 0) return
      if (data.name !== undefined || data.description) await requireVoice(tx)
      await requireAllowedFields(tx, { name: data.name, description: data.description })
      await tx.db
        .updateTable('user_group')
        .set({
          ...(data.name !== undefined && { name: data.name, name_key: fold(data.name) }),
          ...(data.description !== undefined && { description: data.description }),
          settings: JSON.stringify({ ...JSON.parse(group.settings), ...changed }),
          ...(data.deactivated === false && { is_deactivated: 0 }),
        })
        .where('id', '=', group.id)
        .execute()
      storedGroups.invalidate(tx)
      const whole = data.deactivated === false && { group: await reactivated(tx, group.id) }
      await emit(tx, { type: 'user_group', op: 'update', group_id: group.id, data, ...whole }, everyone)
    })
    return {}
  },
)

/** The group, for clients that do not show deactivated ones. */
async function reactivated(tx: Tx, group_id: number): Promise<GroupView> {
  groupGraph.invalidate(tx)
  return (await groupViews(tx, [await accessGroup(tx.db, group_id)]))[0]!
}

type Changes = { [N in keyof GroupSettings]?: Given<GroupSettingChange> | null | undefined }

async function changedSettings(tx: Tx, group: Group, requested: Changes): Promise<GroupSettings> {
  const graph = await groupGraph.get(tx)
  const changed: GroupSettings = {}
  for (const name of groupSettingNames) {
    const change = requested[name]?.value
    if (!change) continue
    const present = groupSettingView(graph, groupSetting(group, name))
    const value = await checkPermissionChange(tx, name, groupSettings[name], change, present)
    if (!sameSetting(value, present)) changed[name] = value
  }
  return changed
}
