import * as v from 'valibot'
import { groupGraph } from '../access/group-graph.ts'
import { systemMembers } from '../access/group-members.ts'
import { noteRequirement } from '../accounts/second-factor/required.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { checkPermissionChange } from '../groups/check-setting.ts'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest, isChatError, mustBeOwner } from '../kernel/errors.ts'
import { isOwner } from '../kernel/roles.ts'
import type { GroupSettingChange } from '../settings/group-setting-value.ts'
import { TIME_SETTING } from '../settings/hour-cycle.ts'
import { putSetting, settingsOf } from '../settings/organization.ts'
import {
  isPermission,
  organizationSettings,
  type SettingName,
  type Settings,
  settingNames,
} from '../settings/organization-table.ts'
import { cannotBeChanged, changeParams, type Setting } from '../settings/setting.ts'
import { settingDefaultsOf } from '../settings/user-defaults.ts'
import type { GroupSettingValue } from '../shapes/group.ts'
import { canReadStream, findStream } from '../streams/access.ts'
import { requirePrivate } from '../streams/moderation-channel.ts'
import { emitVisibilityChanges, guestsOf, visibleUsersOf } from '../users/visibility-changes.ts'
import { providerInUse } from './calls/servers.ts'
import { type OrganizationView, organizationView } from './view.ts'

/** Returns the full members, because they change with the waiting period. */
async function fullMembers(tx: Tx): Promise<ReadonlySet<number>> {
  return new Set((await systemMembers(tx, ['role:fullmembers'])).get('role:fullmembers'))
}

async function emitFullMembersChange(tx: Tx, before: ReadonlySet<number>, after: ReadonlySet<number>): Promise<void> {
  const group_id = (await groupGraph.get(tx)).systemId.get('role:fullmembers')!
  for (const [op, from, to] of [
    ['remove_members', before, after],
    ['add_members', after, before],
  ] as const) {
    const user_ids = [...from].filter((id) => !to.has(id))
    if (user_ids.length > 0) await emit(tx, { type: 'user_group', op, group_id, user_ids }, everyone)
  }
}

/**
 * PATCH /realm: changes the given settings of the organization. Settings that this server doesn't support are ignored,
 * and named in the answer, unless the request has no others.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator, and for settings that only owners change
 * @throws EXPECTATION_MISMATCH if a permission's `old` value isn't the current one
 * @throws SYSTEM_GROUP_REQUIRED if a permission that needs a system group is given another one
 * @example
 * await updateOrganization(caller, { topics_policy: 'disable_empty_topic', message_content_edit_limit_seconds: 'unlimited' })
 */
export const updateOrganization = action(
  {
    name: 'updateOrganization',
    summary: 'Update the organization',
    audit: { subject: 'organization' },
    params: v.object(changeParams(organizationSettings)),
    result: v.strictObject({ ignored_parameters_unsupported: v.exactOptional(v.array(v.string())) }),
    role: 'administrator',
    errors: ['UNAUTHORIZED_PRINCIPAL', 'EXPECTATION_MISMATCH', 'SYSTEM_GROUP_REQUIRED'],
  },
  (caller, requested) =>
    caller.write(async (tx) => {
      const before = await organizationView(tx)
      const members = await fullMembers(tx)
      const guests = requested.can_access_all_users_group ? await guestsOf(tx) : []
      const visible = await visibleUsersOf(tx, guests)
      const { twenty_four_hour_time: hadDayHours } = await settingDefaultsOf(tx)
      const given = settingNames.filter((name) => requested[name])
      const ignored: string[] = []
      for (const name of given) {
        const setting: Setting = organizationSettings[name]
        if (setting.who === 'owner' && !isOwner(tx.user)) throw mustBeOwner()
        try {
          await change(tx, name, setting, requested[name]!.value)
        } catch (error) {
          // The other settings of a form must not be lost because of one without effect.
          if (setting.effect !== 'none' || !isChatError(error) || given.length === 1) throw error
          ignored.push(name)
        }
      }
      await announce(tx, before, await organizationView(tx))
      await announceTimes(tx, hadDayHours)
      await emitFullMembersChange(tx, members, await fullMembers(tx))
      await emitVisibilityChanges(tx, visible, await visibleUsersOf(tx, guests))
      return ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}
    }),
)

/** Stores one setting's new value, which has passed its schema. */
async function change(tx: Tx, name: SettingName, setting: Setting, value: unknown): Promise<void> {
  const present = (await settingsOf(tx))[name]
  if (setting.kind === 'permission') {
    const change = value as GroupSettingChange
    const checked = await checkPermissionChange(tx, name, setting, change, present as GroupSettingValue)
    await putSetting(tx, name, checked as Settings[typeof name])
    return
  }
  if (JSON.stringify(value) === JSON.stringify(present)) return
  if (setting.effect === 'none') throw cannotBeChanged(name, setting)
  if (name === 'video_chat_provider' && providerInUse(tx.chat, value as Settings['video_chat_provider']) !== value) {
    throw badRequest(`Invalid ${name} ${value}`)
  }
  if (setting.kind === 'stream') await requireReadable(tx, name, value as number)
  await putSetting(tx, name, value as Settings[typeof name])
  if (name === 'second_factor_required_for') await noteRequirement(tx)
}

/** The server posts its own messages there, so the user who chooses the stream must be able to read it. */
async function requireReadable(tx: Tx, name: SettingName, stream_id: number): Promise<void> {
  if (stream_id === -1) return
  const stream = await findStream(tx, stream_id)
  if (!stream || !canReadStream(stream, tx.user)) throw badRequest('Invalid channel ID')
  if (name === 'moderation_request_channel_id') requirePrivate(stream)
}

/** How new accounts write times may follow the organization's language. */
async function announceTimes(tx: Tx, before: boolean): Promise<void> {
  const { twenty_four_hour_time: value } = await settingDefaultsOf(tx)
  if (value === before) return
  await emit(tx, { type: 'realm_user_settings_defaults', op: 'update', property: TIME_SETTING, value }, everyone)
}

/** Settings that clients of the Zulip API expect in `update_dict`, like permissions, even if nothing else changed. */
const alwaysInDict: readonly string[] = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'authentication_methods',
] satisfies (keyof OrganizationView)[]

/** One setting is one event; several are sent together, as is a permission with the older policy derived from it. */
async function announce(tx: Tx, before: OrganizationView, after: OrganizationView): Promise<void> {
  const names = Object.keys(after) as (keyof OrganizationView)[]
  const changed = names.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  const [property] = changed
  if (property === undefined) return
  if (changed.length === 1 && !isPermission(property) && !alwaysInDict.includes(property)) {
    await emit(tx, { type: 'realm', op: 'update', property, value: after[property] }, everyone)
    return
  }
  const data = Object.fromEntries(changed.map((key) => [key, after[key]]))
  await emit(tx, { type: 'realm', op: 'update_dict', property: 'default', data }, everyone)
}
