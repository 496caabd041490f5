import * as v from 'valibot'
import { customEmojiById } from '../../shapes/emoji.ts'
import { exportShape } from '../../shapes/export.ts'
import { groupShape } from '../../shapes/group.ts'
import { linkifierShape, playgroundShape } from '../../shapes/linkifier.ts'
import { domainShape } from '../../shapes/organization.ts'
import { organizationValue, userSettingValue } from '../../shapes/setting.ts'
import { profileFieldShape } from '../../shapes/user.ts'
import { id, ids } from '../../shapes/values.ts'
import { event, eventByOp } from './define.ts'

const members = { group_id: id, user_ids: ids }
const subgroups = { group_id: id, direct_subgroup_ids: ids }
const { id: _id, members: _members, direct_subgroup_ids: _subgroups, ...groupProperties } = groupShape.entries

const groupOps = {
  add: { group: groupShape },
  update: { group_id: id, data: v.partial(v.strictObject(groupProperties)) },
  add_members: members,
  remove_members: members,
  add_subgroups: subgroups,
  remove_subgroups: subgroups,
}

export const organizationEvents = {
  /** One setting, or several that changed together, by name. */
  realm: eventByOp('realm', {
    update: { property: v.string(), value: organizationValue },
    update_dict: {
      property: v.picklist(['default', 'icon', 'logo', 'night_logo']),
      data: v.record(v.string(), organizationValue),
    },
    /** Nobody can use it any more. */
    deactivated: { realm_id: id },
  }),
  realm_emoji: eventByOp('realm_emoji', { update: { realm_emoji: customEmojiById } }),
  /** All of them, in their order; none for clients that do not know URL templates. */
  realm_linkifiers: event('realm_linkifiers', { realm_linkifiers: v.array(linkifierShape) }),
  realm_playgrounds: event('realm_playgrounds', { realm_playgrounds: v.array(playgroundShape) }),
  /** A setting that new accounts begin with. */
  realm_user_settings_defaults: eventByOp('realm_user_settings_defaults', {
    update: { property: v.string(), value: userSettingValue },
  }),
  realm_domains: eventByOp('realm_domains', {
    add: { realm_domain: domainShape },
    change: { realm_domain: domainShape },
    remove: { domain: v.string() },
  }),
  /** Archives of the organization's data, all of them again; to administrators. */
  realm_export: event('realm_export', { exports: v.array(exportShape) }),
  /** Somebody agrees that administrators export their private data, or no longer does; to administrators. */
  realm_export_consent: event('realm_export_consent', { user_id: id, consented: v.boolean() }),
  /** There is an invitation more or less: those who may see them ask for the list. */
  invites_changed: event('invites_changed', {}),
  custom_profile_fields: event('custom_profile_fields', { fields: v.array(profileFieldShape) }),

  user_group: eventByOp(
    'user_group',
    {
      ...groupOps,
      /** The whole group where it is reactivated: for clients that do not know deactivated groups it is new. */
      update: { ...groupOps.update, group: v.exactOptional(groupShape) },
    },
    // For clients that do not know deactivated groups it is removed.
    { read: { ...groupOps, remove: { group_id: id } } },
  ),

  /** Sent when nothing happened: the connection is alive, and this is the newest position. */
  heartbeat: event('heartbeat', {}, { transient: true }),
}
