import type { EventType } from '../../../src/client/index.ts'

/** The parts of the live state that views depend on. */
export const parts = [
  'conversations',
  'devices',
  'drafts',
  'exports',
  'groups',
  'invitations',
  'organization',
  'presence',
  'reports',
  'scheduled',
  'settings',
  'starred',
  'statuses',
  'streams',
  'subscribers',
  'topics',
  'unread',
  'users',
] as const
export type Part = (typeof parts)[number]

/** Parts that come with the users, who are fetched after the rest. */
export const peopleParts: readonly Part[] = ['users', 'presence', 'statuses']

/** Which parts an event may change. One that is not here changes none that is shown. */
export const partsOf: Partial<Record<EventType, readonly Part[]>> = {
  message: ['unread', 'conversations'],
  update_message: ['unread'],
  delete_message: ['unread', 'starred'],
  update_message_flags: ['unread', 'starred'],
  drafts: ['drafts'],
  scheduled_messages: ['scheduled'],
  reminders: ['scheduled'],
  channel_folder: ['streams'],
  device: ['devices'],
  realm: ['organization', 'groups'],
  realm_emoji: ['organization'],
  realm_bot: ['users'],
  realm_domains: ['organization'],
  realm_export: ['exports'],
  realm_export_consent: ['exports'],
  bot_commands: ['organization'],
  realm_incoming_webhook_bots: ['organization'],
  realm_linkifiers: ['organization'],
  realm_playgrounds: ['organization'],
  realm_user: ['users', 'presence', 'statuses'],
  realm_user_settings_defaults: ['organization'],
  custom_profile_fields: ['organization', 'users'],
  default_streams: ['streams'],
  default_stream_groups: ['streams'],
  report: ['reports'],
  held_message: ['reports', 'scheduled'],
  content_filters: ['reports'],
  invites_changed: ['invitations'],
  user_group: ['groups'],
  user_status: ['statuses'],
  presence: ['presence'],
  muted_users: ['users'],
  user_settings: ['settings'],
  alert_words: ['settings'],
  stream: ['streams', 'unread'],
  subscription: ['streams', 'subscribers', 'unread'],
  user_topic: ['topics', 'unread'],
}
