import * as v from 'valibot'
import { botCommandShape, calledCommand } from '../../shapes/bot-command.ts'
import { customEmojiById, customEmojiShape } from '../../shapes/emoji.ts'
import { exportShape } from '../../shapes/export.ts'
import { groupShape } from '../../shapes/group.ts'
import { integrationShape } from '../../shapes/integration.ts'
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
    /** The organization was deactivated. */
    deactivated: { realm_id: id },
  }),
  realm_emoji: eventByOp(
    'realm_emoji',
    {
      update: {
        realm_emoji: customEmojiById,
        /** Id of the emoji that was added or deactivated. */
        changed: v.string(),
      },
    },
    {
      read: {
        update: { realm_emoji: customEmojiById },
        // To clients with the capability `individual_emoji_changes`.
        add: { emoji: customEmojiShape },
        update_one: { emoji_id: v.string(), data: v.strictObject({ deactivated: v.boolean() }) },
      },
    },
  ),
  /** All linkifiers in order; none for clients that don't know URL templates. */
  realm_linkifiers: event('realm_linkifiers', { realm_linkifiers: v.array(linkifierShape) }),
  /** All slash commands of bots, by name. */
  bot_commands: event('bot_commands', { bot_commands: v.array(botCommandShape) }),
  /** A message began with a command of the bot that gets this event. */
  bot_command: event('bot_command', calledCommand),
  realm_playgrounds: event('realm_playgrounds', { realm_playgrounds: v.array(playgroundShape) }),
  /** Integrations that administrators make. `update` has the former name, and its templates may have changed. */
  realm_incoming_webhook_bots: eventByOp('realm_incoming_webhook_bots', {
    add: { integration: integrationShape },
    update: { name: v.string(), integration: integrationShape },
    remove: { name: v.string() },
  }),
  /** The default of a setting for new accounts. */
  realm_user_settings_defaults: eventByOp('realm_user_settings_defaults', {
    update: { property: v.string(), value: userSettingValue },
  }),
  realm_domains: eventByOp('realm_domains', {
    add: { realm_domain: domainShape },
    change: { realm_domain: domainShape },
    remove: { domain: v.string() },
  }),
  /** All archives of the organization's data, for administrators. */
  realm_export: event('realm_export', { exports: v.array(exportShape) }),
  /** A user allows administrators to export their private data, or no longer does. For administrators. */
  realm_export_consent: event('realm_export_consent', { user_id: id, consented: v.boolean() }),
  /** An invitation was added or removed. Users who may see it fetch the list. */
  invites_changed: event('invites_changed', {}),
  /** A content filter was added or removed. Administrators fetch the list. */
  content_filters: event('content_filters', {}),
  /** A report is new, or a moderator changed it. Moderators fetch the list. */
  report: event('report', { report_id: id, state: v.picklist(['open', 'taken', 'closed']) }),
  /** A message waits for approval, or no longer does. For its author and the moderators, who fetch the list. */
  held_message: event('held_message', {
    held_message_id: id,
    user_id: id,
    state: v.picklist(['waiting', 'approved', 'rejected', 'dropped']),
  }),
  custom_profile_fields: event('custom_profile_fields', { fields: v.array(profileFieldShape) }),

  user_group: eventByOp(
    'user_group',
    {
      ...groupOps,
      /** The whole group if it is reactivated: for clients that don't know deactivated groups, it is new. */
      update: { ...groupOps.update, group: v.exactOptional(groupShape) },
    },
    // For clients that don't know deactivated groups, it was removed.
    { read: { ...groupOps, remove: { group_id: id } } },
  ),

  /** Sent if nothing happened: the connection works, and this is the newest position. */
  heartbeat: event('heartbeat', {}, { transient: true }),
}
