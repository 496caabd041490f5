import { linkOf } from '../../src/core/accounts/invitations/stored.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { expireMessages } from '../../src/core/messages/retention/expire.ts'
import { linkPreviewsOf } from '../../src/core/messages/send/message-workers.ts'
import { expireAudit } from '../../src/core/organization/audit/retention.ts'
import type { OrganizationSettings } from '../../src/core/settings/organization-table.ts'
import type { NamesWithEffect } from '../../src/core/settings/setting.ts'
import { apiOf } from '../../src/testing/api.ts'
import type { World } from '../../src/testing/index.ts'
import { png } from '../files/images.ts'
import {
  create,
  days,
  emailsAfter,
  emailsInTwoWeeks,
  inTopic,
  languageOfNewAccount,
  later,
  moved,
  newAccount,
  outcome,
  type Proof,
  psst,
  roleId,
  sessionUsed,
  set,
  talk,
} from './proofs.ts'

const refused = 'Insufficient permission'

/** The terms that people accept when they join. */
async function termsShown({ chat, people }: World) {
  const { invite_link } = await people.iago.api.post('/invites/multiuse', { stream_ids: [] })
  const { terms } = await apiOf(chat).get('/invitation', { token: new URL(invite_link).searchParams.get('token') })
  return terms
}

export const organizationProofs: Record<NamesWithEffect<OrganizationSettings, 'server'>, Proof> = {
  enable_spectator_access: {
    value: true,
    try: async ({ chat }) => outcome(await apiOf(chat).post('/register', { fetch_event_types: [] })),
    outcomes: ['Not logged in: API authentication or user session required', 'ok'],
  },
  can_create_web_public_channel_group: {
    value: 'role:nobody',
    given: ({ people }) => people.iago.api.patch('/realm', { enable_spectator_access: true }),
    try: async ({ people }) => outcome(await create(people.iago, 'market', { is_web_public: true })),
    outcomes: ['ok', refused],
  },
  can_bypass_content_filters_group: {
    value: 'role:members',
    given: ({ people }) =>
      people.iago.api.post('/content_filters', { kind: 'word', pattern: 'poison', action: 'refuse' }),
    try: async ({ people }) =>
      outcome(
        await people.hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'Poison!' }),
      ),
    outcomes: ["Your text contains something that isn't allowed here. Change it, or ask a moderator.", 'ok'],
  },
  hold_first_messages: {
    value: 1,
    try: async ({ people }) =>
      outcome(await people.hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'x' })),
    outcomes: ['ok', 'A moderator will review your message.'],
  },
  hold_new_accounts_days: {
    value: 1,
    try: async ({ people }) =>
      outcome(await people.hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'x' })),
    outcomes: ['ok', 'A moderator will review your message.'],
  },
  terms_text: {
    value: 'Be kind.',
    try: async (w) => (await termsShown(w))?.content,
    outcomes: [undefined, 'Be kind.'],
  },
  terms_required_after: {
    value: 1,
    given: ({ people }) => people.iago.api.patch('/realm', { terms_text: 'Be kind.' }),
    try: async ({ people: { hamlet } }) =>
      outcome(await hamlet.api.post('/fetch_api_key', { username: hamlet.email, password: hamlet.password })),
    outcomes: ['ok', 'Accept the terms of the organization first. Sign in to the web client to read them'],
  },
  terms_version: {
    value: 7,
    given: ({ people }) => people.iago.api.patch('/realm', { terms_text: 'Be kind.' }),
    try: async (w) => (await termsShown(w)).version,
    outcomes: [1, 7],
  },
  invite_required: {
    value: false,
    try: async ({ chat }) => outcome(await apiOf(chat).get('/sign_up/challenge')),
    outcomes: [
      'This organization requires an invitation to join.',
      "This server doesn't send email. Start it with --mail-url, --mail-from and --public-url, or set up a mail server under Settings › Email.",
    ],
  },
  avatar_changes_disabled: {
    value: true,
    try: async ({ people }) => outcome(await people.hamlet.api.delete('/users/me/avatar')),
    outcomes: ['ok', 'Avatar changes are disabled in this organization.'],
  },
  default_avatar_source: {
    value: 'J',
    try: async (w) => {
      const { user_id } = await newAccount(w)
      const { user } = await w.people.iago.api.get(`/users/${user_id}`, { client_gravatar: false })
      return /gravatar|geometric/.exec(user.avatar_url)?.[0]
    },
    outcomes: ['gravatar', 'geometric'],
  },
  inline_image_preview: {
    value: false,
    try: async ({ people: { hamlet } }) => {
      const { url } = await hamlet.api.upload('/user_uploads', new Uint8Array(png({ width: 3, height: 2 })))
      const { rendered } = await hamlet.api.post('/messages/render', { content: `[x](${url})` })
      return rendered.includes('message_inline_image')
    },
    outcomes: [true, false],
  },
  inline_url_embed_preview: {
    value: true,
    try: async (w) => {
      const { id } = await w.people.hamlet.says('See https://example.com/play')
      await linkPreviewsOf(w.chat).settled()
      const { message } = await w.people.hamlet.api.get(`/messages/${id}`)
      return message.content.includes('message_embed')
    },
    outcomes: [false, true],
  },
  upload_quota_mib: {
    value: 1,
    try: async ({ people }) =>
      outcome(await people.hamlet.api.upload('/user_uploads', new Uint8Array(1024 * 1024 + 1))),
    outcomes: ['ok', "Upload would exceed your organization's upload quota."],
  },
  can_access_all_users_group: {
    value: 'role:members',
    try: async ({ people }) => (await people.polonius.api.get('/users')).members.length,
    outcomes: [4, 1],
  },
  audit_retention_days: {
    value: 1,
    given: ({ people }) => people.iago.api.patch('/realm', { name: 'Kronborg' }),
    try: async (w) => {
      w.clock.advance(days(2))
      await expireAudit(w.chat)
      const { entries } = await w.people.iago.api.get('/audit', { action: 'updateOrganization' })
      return entries.length > 0
    },
    outcomes: [true, false],
  },
  second_factor_required_for: {
    value: 'members',
    try: async (w) => {
      w.clock.advance(days(8))
      const { email: username, password } = w.people.hamlet
      return outcome(await apiOf(w.chat).post('/fetch_api_key', { username, password }))
    },
    outcomes: ['ok', 'Your organization requires a second factor. Sign in to the web client to set it up'],
  },
  session_max_days: {
    value: 2,
    try: (w) => sessionUsed(w, [1, 1]),
    outcomes: [
      [200, 200],
      [200, 401],
    ],
  },
  api_token_max_days: {
    value: 2,
    try: async (w) => {
      const { api, password } = w.people.hamlet
      const given = { name: 'x', scopes: ['read'], password }
      const made = outcome(await api.post('/users/me/api_keys', { ...given, expires_in_days: 3 }))
      await api.post('/users/me/api_keys', given)
      const end = (await api.get('/users/me/api_keys')).api_keys.at(-1).expires_at
      return [made, end && (end - w.clock.now() / 1000) / 86_400]
    },
    outcomes: [
      ['ok', null],
      ['Limited keys of this organization expire after at most 2 days.', 2],
    ],
  },
  session_idle_days: {
    value: 2,
    try: (w) => sessionUsed(w, [3]),
    outcomes: [[200], [401]],
  },
  message_retention_days: {
    value: 1,
    try: async (w) => {
      const { hers } = await talk(w)
      w.clock.advance(days(2))
      await expireMessages(w.chat)
      return outcome(await w.people.iago.api.get(`/messages/${hers}`))
    },
    outcomes: ['ok', 'Invalid message(s)'],
  },
  email_changes_disabled: {
    value: true,
    try: async ({ people }) => outcome(await people.hamlet.api.patch('/settings', { email: 'prince@example.com' })),
    outcomes: ['ok', 'Email address changes are disabled in this organization.'],
  },
  can_add_custom_emoji_group: {
    value: 'role:administrators',
    try: async ({ people }) =>
      outcome(await people.hamlet.api.upload('/realm/emoji/yorick_skull', new Uint8Array(png()))),
    outcomes: ['ok', refused],
  },
  can_add_subscribers_group: {
    value: 'role:administrators',
    try: async ({ people }) => outcome(await create(people.hamlet, 'hall', { principals: [people.cordelia.id] })),
    outcomes: ['ok', 'Unable to access stream (hall).'],
  },
  can_invite_users_group: {
    value: 'role:administrators',
    try: async ({ people }) =>
      outcome(await people.hamlet.api.post('/invites', { invitee_emails: 'yorick@example.com', stream_ids: [] })),
    outcomes: ['ok', refused],
  },
  create_multiuse_invite_group: {
    value: 'role:members',
    try: async ({ people }) => outcome(await people.hamlet.api.post('/invites/multiuse', {})),
    outcomes: [refused, 'ok'],
  },
  emails_restricted_to_domains: {
    value: true,
    given: ({ people }) => people.iago.api.post('/realm/domains', { domain: 'example.org', allow_subdomains: false }),
    try: async (w) => outcome(await newAccount(w)),
    outcomes: ['ok', "Email 'yorick@example.com' not allowed in this organization"],
  },
  disallow_disposable_email_addresses: {
    value: false,
    try: async (w) => outcome(await newAccount(w, 'yorick@mailinator.com')),
    outcomes: ["Email 'yorick@mailinator.com' not allowed in this organization", 'ok'],
  },
  can_create_bots_group: {
    value: 'role:administrators',
    try: async ({ people }) => outcome(await newBot(people.hamlet.api, 1)),
    outcomes: ['ok', refused],
  },
  can_create_write_only_bots_group: {
    value: 'role:administrators',
    given: async (w) =>
      w.people.iago.api.patch('/realm', { can_create_bots_group: { new: await roleId(w, 'role:administrators') } }),
    try: async ({ people }) => outcome(await newBot(people.hamlet.api, 2)),
    outcomes: ['ok', refused],
  },
  can_create_groups: {
    value: 'role:administrators',
    try: async ({ people }) => outcome(await newGroup(people.hamlet.api)),
    outcomes: ['ok', refused],
  },
  can_create_public_channel_group: {
    value: 'role:administrators',
    try: async ({ people }) => outcome(await create(people.hamlet, 'yard')),
    outcomes: ['ok', refused],
  },
  can_create_private_channel_group: {
    value: 'role:administrators',
    try: async ({ people }) => outcome(await create(people.hamlet, 'crypt', { invite_only: true })),
    outcomes: ['ok', refused],
  },
  can_delete_any_message_group: {
    value: 'role:members',
    try: async (w) => outcome(await w.people.hamlet.api.delete(`/messages/${(await talk(w)).hers}`)),
    outcomes: ["You don't have permission to delete this message", 'ok'],
  },
  can_delete_own_message_group: {
    value: 'role:members',
    try: async (w) => outcome(await w.people.hamlet.api.delete(`/messages/${(await talk(w)).his}`)),
    outcomes: ["You don't have permission to delete this message", 'ok'],
  },
  can_set_topics_policy_group: {
    value: 'role:moderators',
    try: async ({ people: { hamlet } }) => [
      outcome(await create(hamlet, 'yard', { topics_policy: 'inherit' })),
      outcome(await create(hamlet, 'ward', { topics_policy: 'disable_empty_topic' })),
    ],
    outcomes: [
      ['ok', 'ok'],
      ['ok', refused],
    ],
  },
  can_set_delete_message_policy_group: {
    value: 'role:members',
    try: async (w) => {
      const { hamlet } = w.people
      const own = { can_delete_own_message_group: await roleId(w, 'role:members') }
      return [outcome(await create(hamlet, 'yard')), outcome(await create(hamlet, 'ward', own))]
    },
    outcomes: [
      ['ok', refused],
      ['ok', 'ok'],
    ],
  },
  can_manage_all_groups: {
    value: 'role:members',
    try: async ({ people }) => {
      const { group_id } = await newGroup(people.iago.api)
      return outcome(await people.hamlet.api.patch(`/user_groups/${group_id}`, { name: 'ghosts' }))
    },
    outcomes: [refused, 'ok'],
  },
  can_mention_many_users_group: {
    crowded: true,
    value: 'role:members',
    try: async ({ people }) => outcome(await post(people.hamlet.api, '@**all** listen')),
    outcomes: ['You do not have permission to use stream wildcard mentions in this stream.', 'ok'],
  },
  can_move_messages_between_channels_group: {
    value: 'role:administrators',
    try: async (w) => moved(w, { stream_id: await w.streamId('hall') }),
    outcomes: ['ok', "You don't have permission to move this message"],
  },
  can_move_messages_between_topics_group: {
    value: 'role:administrators',
    try: (w) => moved(w, { topic: 'elsewhere' }),
    outcomes: ['ok', "You don't have permission to edit this message"],
  },
  can_resolve_topics_group: {
    value: 'role:administrators',
    try: (w) => moved(w, { topic: '✔ greetings' }),
    outcomes: ['ok', "You don't have permission to resolve topics."],
  },
  direct_message_initiator_group: {
    value: 'role:administrators',
    try: async ({ people: { iago, hamlet, cordelia } }) => {
      const first = outcome(await direct(hamlet.api, [cordelia.id]))
      await direct(iago.api, [hamlet.id])
      return [first, outcome(await direct(hamlet.api, [iago.id]))]
    },
    outcomes: [
      ['ok', 'ok'],
      ['You do not have permission to initiate direct message conversations.', 'ok'],
    ],
  },
  direct_message_permission_group: {
    value: 'role:administrators',
    try: async ({ people: { iago, hamlet, cordelia } }) => [
      outcome(await direct(hamlet.api, [cordelia.id])),
      outcome(await direct(hamlet.api, [iago.id])),
    ],
    outcomes: [
      ['ok', 'ok'],
      ['This conversation does not include any users who can authorize it.', 'ok'],
    ],
  },

  allow_message_editing: {
    value: false,
    try: (w) => moved(w, { content: 'else' }),
    outcomes: ['ok', 'Your organization has turned off message editing'],
  },
  message_edit_history_visibility_policy: {
    value: 'none',
    try: async (w) => outcome(await w.people.hamlet.api.get(`/messages/${(await talk(w)).his}/history`)),
    outcomes: ['ok', 'Message edit history is disabled in this organization'],
  },
  message_content_edit_limit_seconds: {
    value: 'unlimited',
    try: (w) => later(w, days(1), ({ his }) => w.people.hamlet.api.patch(`/messages/${his}`, { content: 'else' })),
    outcomes: ['The time limit for editing this message has passed', 'ok'],
  },
  message_content_delete_limit_seconds: {
    given: (w) => set(w, 'can_delete_own_message_group', 'role:members'),
    value: 60,
    try: (w) => later(w, days(1), ({ his }) => w.people.hamlet.api.delete(`/messages/${his}`)),
    outcomes: ['ok', 'The time limit for deleting this message has passed'],
  },
  move_messages_within_stream_limit_seconds: {
    value: 'unlimited',
    try: (w) => later(w, days(8), ({ his }) => w.people.hamlet.api.patch(`/messages/${his}`, { topic: 'else' })),
    outcomes: ["The time limit for editing this message's topic has passed.", 'ok'],
  },
  move_messages_between_streams_limit_seconds: {
    value: 'unlimited',
    try: async (w) => {
      const stream_id = await w.streamId('hall')
      return later(w, days(8), ({ his }) => w.people.hamlet.api.patch(`/messages/${his}`, { stream_id }))
    },
    outcomes: ["The time limit for editing this message's channel has passed", 'ok'],
  },
  topics_policy: {
    value: 'disable_empty_topic',
    try: async ({ people }) => outcome(await post(people.hamlet.api, 'no topic', '')),
    outcomes: ['ok', 'Sending messages to the general chat is not allowed in this channel.'],
  },
  enable_read_receipts: {
    value: false,
    try: async (w) => outcome(await w.people.hamlet.api.get(`/messages/${(await talk(w)).his}/read_receipts`)),
    outcomes: ['ok', 'Read receipts are disabled in this organization.'],
  },
  default_code_block_language: {
    value: 'python',
    try: async ({ people }) => {
      const render = async (content: string) => (await people.hamlet.api.post('/messages/render', { content })).rendered
      const both = [await render('```\nimport os\n```'), await render('```js\nlet a\n```')]
      return both.map((html) => /data-code-language="(.*?)"/.exec(html)?.[1])
    },
    outcomes: [
      [undefined, 'JavaScript'],
      ['Python', 'JavaScript'],
    ],
  },

  waiting_period_threshold: {
    given: (w) => set(w, 'can_create_groups', 'role:fullmembers'),
    value: 3,
    try: async ({ people }) => outcome(await newGroup(people.hamlet.api)),
    outcomes: ['ok', refused],
  },
  name_changes_disabled: {
    value: true,
    try: async ({ people }) => outcome(await people.hamlet.api.patch('/settings', { full_name: 'prince' })),
    outcomes: ['ok', 'Name changes are disabled in this organization.'],
  },
  require_unique_names: {
    value: true,
    try: async ({ people }) => outcome(await people.hamlet.api.patch('/settings', { full_name: 'Cordelia' })),
    outcomes: ['ok', 'Unique names required in this organization.'],
  },
  presence_disabled: {
    value: true,
    try: async ({ people }) => {
      await people.iago.api.post('/users/me/presence', { status: 'active' })
      return Object.keys((await people.hamlet.api.get('/realm/presence')).presences)
    },
    outcomes: [['iago@example.com'], []],
  },

  default_language: { value: 'de', try: languageOfNewAccount, outcomes: ['en', 'de'] },
  new_stream_announcements_stream_id: {
    value: 'general',
    try: async (w) => {
      await create(w.people.hamlet, 'yard', { announce: true })
      return inTopic(w, 'new channels')
    },
    outcomes: [0, 1],
  },
  moderation_request_channel_id: {
    value: 'general',
    given: async (w) => w.people.iago.api.patch(`/streams/${await w.streamId('general')}`, { is_private: true }),
    try: async (w) => {
      const { id } = await w.people.hamlet.says('x')
      await w.people.hamlet.api.post(`/messages/${id}/report`, { report_type: 'spam' })
      return inTopic(w, 'hamlet moderation')
    },
    outcomes: [0, 1],
  },
  message_content_allowed_in_email_notifications: {
    mail: true,
    value: false,
    try: (w) => emailsAfter(w, psst),
    outcomes: [['DMs with cordelia'], ['New messages']],
  },
  send_welcome_emails: {
    mail: true,
    value: false,
    try: async (w) => {
      await w.people.iago.api.post('/invites', { invitee_emails: 'yorick@example.com', stream_ids: [] })
      const row = await storeOf(w.chat).db.selectFrom('invitation').selectAll().executeTakeFirstOrThrow()
      const token = new URL(linkOf({ chat: w.chat, origin: 'https://x' }, row, 'email')).searchParams.get('token')
      await apiOf(w.chat).post('/invitation', { token, full_name: 'Yorick', password: 'alas poor' })
      return (await w.people.iago.api.get('/mail')).mails.map(({ kind }: { kind: string }) => kind)
    },
    outcomes: [['welcome', 'invitation'], ['invitation']],
  },
  digest_emails_enabled: {
    mail: true,
    value: true,
    try: emailsInTwoWeeks,
    outcomes: [[], ['Your week in Elsinore']],
  },
  digest_weekday: {
    mail: true,
    value: 6,
    given: ({ people }) => people.iago.api.patch('/realm', { digest_emails_enabled: true }),
    try: emailsInTwoWeeks,
    outcomes: [['Your week in Elsinore'], []],
  },
  send_channel_events_messages: {
    value: false,
    try: async (w) => {
      await create(w.people.hamlet, 'yard', {})
      const { topics } = await w.people.hamlet.api.get(`/users/me/${await w.streamId('yard')}/topics`)
      return topics.length
    },
    outcomes: [1, 0],
  },
  welcome_message_custom_text: {
    value: 'Read the handbook.',
    try: async (w) => {
      const { invite_link } = await w.people.iago.api.post('/invites/multiuse', { stream_ids: [] })
      const token = new URL(invite_link).searchParams.get('token')
      const joining = { token, email: 'yorick@example.com', full_name: 'Yorick', password: 'alas poor' }
      const { api_key } = await apiOf(w.chat).post('/invitation', joining)
      const yorick = apiOf(w.chat, { email: 'yorick@example.com', key: api_key })
      const window = { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['is', 'dm']], apply_markdown: false }
      return (await yorick.get('/messages', window)).messages.length
    },
    outcomes: [1, 2],
  },
  signup_announcements_stream_id: {
    value: 'general',
    try: async (w) => {
      await newAccount(w)
      return inTopic(w, 'signups')
    },
    outcomes: [0, 1],
  },
}

type Api = import('../../src/testing/index.ts').Person['api']
const newGroup = (api: Api) => api.post('/user_groups/create', { name: 'royals', description: '', members: [] })
const newBot = (api: Api, bot_type: number) => api.post('/bots', { full_name: 'Skull', short_name: 'skull', bot_type })
const post = (api: Api, content: string, topic = 'greetings') =>
  api.post('/messages', { type: 'stream', to: 'general', topic, content })
const direct = (api: Api, to: number[]) => api.post('/messages', { type: 'direct', to, content: 'psst' })
