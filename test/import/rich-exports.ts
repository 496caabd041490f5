import { everything } from './everything.ts'
import { at, discordExport, lines, mattermostExport, ms, rocketJson } from './exports.ts'
import { root, slackExport } from './slack-export.ts'

type Files = Record<string, string | Uint8Array | object>

/** The year 2100, for what is sent later. */
export const LATER = 4_102_444_800

/** More of what each source may contain than the tests of its reader compare: every member that a reader looks at. */
export const richExports = (): Record<string, Files> => ({
  jsonl: everything(at),
  zulip: zulip(),
  slack: slack(),
  mattermost: mattermost(),
  rocketchat: rocketchat(),
  discord: discord(),
})

function slack(): Files {
  const files = slackExport()
  const text = { type: 'rich_text_section', elements: [{ type: 'text', text: 'in blocks' }] }
  const rich = [
    text,
    { type: 'user', user_id: 'U1' },
    { type: 'channel', channel_id: 'C1' },
    { type: 'emoji', name: 'tada' },
    { type: 'link', url: 'https://a.example', text: 'A' },
    { type: 'link', url: 'https://b.example' },
    { type: 'section', text: { type: 'mrkdwn', text: '*bold*' } },
  ]
  const message = (seconds: number, more: object) => ({
    type: 'message',
    user: 'U1',
    ts: `${root + seconds}.000200`,
    ...more,
  })
  return {
    ...files,
    'users.json': [
      ...files['users.json'],
      {
        id: 'U5',
        name: 'eve',
        real_name: 'Eve',
        is_admin: true,
        profile: {
          display_name: 'Eve',
          status_text: 'away',
          status_emoji: ':palm_tree:',
          phone: '1',
          skype: 'eve',
          avatar_hash: 'x',
        },
      },
      { id: 'U5', name: 'eve' },
      { name: 'nobody' },
    ],
    'kitchen/2023-12-01.json': [
      message(200, { blocks: rich }),
      message(201, {
        text: 'attached',
        attachments: [
          { from_url: 'https://a.example', text: 'a preview' },
          { from_url: 'https://b.example', is_msg_unfurl: true, text: 'a quote' },
          { pretext: 'before', title: 'Title', text: 'text', fields: [{ title: 'Size', value: '7' }, { value: '8' }] },
          { fallback: 'only this' },
          {},
        ],
        files: [
          { id: 'F3', title: 'gone', mode: 'tombstone' },
          { id: 'F4', name: 'hidden', mode: 'hidden_by_limit' },
          { id: 'F5', name: 'outside', mode: 'external', url_private: 'https://docs.example/5' },
          { name: 'odd', url_private: 'javascript:alert(1)' },
        ],
      }),
      message(202, { subtype: 'huddle_thread', text: '' }),
      message(203, { subtype: 'file_comment', user: undefined, comment: { user: 'U2', comment: 'a comment' } }),
      message(204, { user: 'USLACKBOT', text: 'reminder', file: { id: 'F1', name: 'menu.txt', created: root } }),
      message(205, { user: undefined, bot_profile: { name: 'Helper' }, text: 'help' }),
      message(206, { user: undefined, text: 'from nobody' }),
      message(207, { text: 'odd', reactions: [{ name: ':', users: ['U8'], count: 4 }, { name: 'x' }] }),
      message(208, { text: 'a reply without its root', thread_ts: `${root - 5}.000100` }),
      { type: 'message', user: 'U1', text: 'without a time' },
    ],
    'nowhere/2023-12-01.json': [],
    'canvases/one.json': {},
  }
}

function mattermost(): Files {
  const files = mattermostExport()
  const post = (seconds: number, more: object) => ({
    type: 'post',
    post: { team: 'cooks', channel: 'kitchen', user: 'ann', create_at: ms(seconds), ...more },
  })
  return {
    ...files,
    'import.jsonl':
      files['import.jsonl'] +
      lines(
        { type: 'info', info: {} },
        { type: 'team', team: { name: 'bakers' } },
        { type: 'channel', channel: { team: 'bakers', name: 'oven', type: 'P', deleted_at: 5 } },
        { type: 'channel', channel: { name: 'nowhere' } },
        {
          type: 'user',
          user: {
            username: 'guest',
            nickname: 'Guest',
            roles: 'system_guest',
            profile_image: 'emoji/pan.png',
            teams: [
              {
                name: 'bakers',
                channels: [{ name: 'oven', notify_props: { mark_unread: 'mention' } }, { name: 'unknown' }],
              },
            ],
          },
        },
        { type: 'user', user: { email: 'nobody@example.com' } },
        { type: 'bot', bot: { username: 'robot', display_name: 'Robot', owner: 'ann' } },
        { type: 'bot', bot: {} },
        { type: 'playbook', playbook: {} },
        { type: 'odd' },
        post(50, { message: 'me', type: 'me', is_pinned: true, attachments: [{ path: 'missing.txt' }, {}] }),
        post(51, { props: { attachments: [{ pretext: 'a', title: 'b', text: 'c' }] } }),
        post(51, {
          message: 'at the same time',
          reactions: [{ emoji_name: 'tada' }, { user: 'ann', emoji_name: 'x' }],
        }),
        post(52, { message: '' }),
        post(53, { message: 'x', user: undefined }),
      ),
  }
}

function rocketchat(): Files {
  const files: Files = rocketJson()
  const message = (id: string, more: object) => ({
    _id: id,
    rid: 'r1',
    ts: { $date: { $numberLong: String(ms(40)) } },
    u: { _id: 'u1', username: 'ann' },
    ...more,
  })
  return {
    ...files,
    'users.json':
      files['users.json'] +
      lines(
        {
          _id: 'u3',
          username: 'robot',
          type: 'bot',
          statusText: 'beeping',
          createdAt: { $date: '2020-01-01T00:00:00Z' },
        },
        { _id: 'u4', username: 'guest', roles: ['guest'] },
        { _id: 'u5' },
      ),
    'rocketchat_room.json':
      files['rocketchat_room.json'] +
      lines(
        { _id: 'r5', t: 'p', fname: 'Pantry', description: 'dry', archived: true, ts: { $date: ms(1) } },
        { _id: 'r6', t: 'c', prid: 'gone' },
        { t: 'c' },
      ),
    'rocketchat_subscription.json':
      files['rocketchat_subscription.json'] +
      lines({ u: { _id: 'u1' }, rid: 'r5', disableNotifications: true }, { rid: 'r1' }),
    'rocketchat_custom_emoji.json': lines({ name: 'pan', extension: 'png' }, {}),
    'rocketchat_uploads.json': files['rocketchat_uploads.json'] + lines({ name: 'no ID' }),
    'rocketchat_message.json':
      files['rocketchat_message.json'] +
      lines(
        message('n1', { msg: '', attachments: [{ message_link: 'https://a.example', text: 'quoted\ntwice' }] }),
        message('n2', {
          attachments: [
            { title: 'Title', text: 'text' },
            { title_link: '/x', description: 'described' },
          ],
        }),
        message('n3', { msg: 'pin', pinned: true, file: { _id: 'f2', name: 'lost.txt' }, files: [] }),
        message('n4', { msg: 'thumb', files: [{ _id: 'f3', name: 'thumb-soup.png' }, { _id: 'f4' }] }),
        message('n5', { msg: 'secret', t: 'e2e' }),
        message('n6', { msg: 'who', u: { _id: 'u9', name: 'Stranger' } }),
        message('n7', { msg: 'where', rid: 'r4' }),
        message('n8', { msg: 'when', ts: undefined }),
        message('n9', { msg: 'reply of a reply', tmid: 'm2', reactions: { ':odd:': { usernames: ['nobody'] } } }),
        message('n10', {}),
      ),
  }
}

function discord(): Files {
  const files = discordExport()
  const author = { id: '3', name: 'robot', isBot: true, avatarUrl: 'kitchen_Files/soup.txt' }
  const message = (id: string, more: object) => ({
    id,
    type: 'Default',
    timestamp: new Date(ms(60)).toISOString(),
    content: '',
    author,
    ...more,
  })
  return {
    ...files,
    'direct.json': {
      guild: { id: '0' },
      channel: { id: 'd1', type: 'DirectTextChat' },
      messages: [message('60', { content: 'between us' })],
    },
    'forum.json': {
      guild: { id: 'g' },
      channel: { id: 'p1', type: 'GuildForum', topic: 'x' },
      messages: [
        message('61', { embeds: [{ title: 'Build', description: 'passed' }, {}] }),
        message('62', { content: 'for <@1>, <@!99>, <#c1>, <#5>, <a:party:7>, <t:1700000000:R>' }),
        message('63', {
          content: 'x',
          type: 'Reply',
          attachments: [
            { url: 'https://cdn.example/a.png', fileName: 'a.png' },
            { url: '%zz', fileName: 'odd [name]' },
            {},
          ],
        }),
        message('64', {}),
        message('65', { content: 'x', author: {} }),
        message('66', { content: 'x', type: '19', reactions: [{ emoji: { name: 'pan' }, count: 1 }, {}] }),
      ],
    },
    'post.json': {
      guild: { id: 'g' },
      channel: { id: 'p2', type: 'GuildPrivateThread', name: '' },
      messages: [message('67', { content: 'a post' })],
    },
  }
}

/** Ids follow the tables of an export. */
function zulip(): Files {
  const user = (id: number, name: string, more: object = {}) => ({
    id,
    full_name: name,
    delivery_email: `${name}@example.com`,
    role: 400,
    date_joined: at,
    ...more,
  })
  const message = (id: number, recipient: number, content: string, more: object = {}) => ({
    id,
    sender: 11,
    recipient,
    subject: 'recipes',
    content,
    date_sent: at + id,
    sending_client: 1,
    ...more,
  })
  const reminder = { sender: 11, recipient: 43, content: 'remember', scheduled_timestamp: LATER, delivery_type: 2 }
  return {
    'migration_status.json': {},
    'realm.json': {
      zerver_realm: [{ id: 1, name: 'Kitchen' }],
      zerver_client: [{ id: 1, name: 'website' }],
      zerver_customprofilefield: [
        { id: 1, order: 2, field_type: 1, name: 'Title', hint: 'What you do' },
        { id: 2, field_type: 5, name: 'Site' },
        { id: 3, order: 1, field_type: 6, name: 'Boss' },
      ],
      zerver_customprofilefieldvalue: [{ user_profile: 11, field: 1, value: 'Cook' }],
      zerver_userstatus: [{ user_profile: 11, status_text: 'cooking', emoji_name: 'tada' }],
      zerver_alertword: [{ user_profile: 11, word: 'soup' }],
      zerver_muteduser: [{ user_profile: 11, muted_user: 12 }],
      zerver_userprofile_crossrealm: [
        { id: 1, email: 'notification-bot@zulip.com' },
        { id: 2, email: 'other@zulip.com' },
        { id: 3 },
      ],
      zerver_userprofile: [
        user(11, 'Ann', { role: 100, timezone: 'Europe/Vienna' }),
        user(12, 'Bob', { role: 600, is_active: false }),
        user(13, 'Robot', { is_bot: true, bot_owner: 11 }),
        { id: 14, email: 'cid@example.com' },
      ],
      zerver_userprofile_mirrordummy: [user(15, 'Gone', { is_mirror_dummy: true })],
      zerver_namedusergroup: [
        { id: 21, name: 'cooks', description: 'They cook' },
        { id: 22, name: 'role:owners', is_system_group: true },
      ],
      zerver_usergroup: [{ id: 23, name: 'bakers', deactivated: true }, { id: 24 }],
      zerver_usergroupmembership: [{ user_group: 21, user_profile: 11 }],
      zerver_groupgroupmembership: [
        { supergroup: 21, subgroup: 23 },
        { supergroup: 21, subgroup: 22 },
      ],
      zerver_realmemoji: [
        { id: 1, name: 'pan', file_name: '1.png', author: 11 },
        { id: 2, name: 'pot', file_name: '2.png', deactivated: true },
      ],
      zerver_realmfilter: [
        { id: 2, order: 1, pattern: 'S-(?P<id>\\d+)', url_template: 'https://example.com/{id}' },
        { id: 1, pattern: 'T-(?P<id>\\d+)', url_format_string: 'https://example.com/%(id)s' },
      ],
      zerver_stream: [
        { id: 31, name: 'kitchen', description: 'hot', date_created: at, creator: 11, message_retention_days: 30 },
        { id: 32, name: 'pantry', invite_only: true, history_public_to_subscribers: false, can_send_message_group: 22 },
        { id: 33, name: 'attic', deactivated: true, is_web_public: true, can_send_message_group: 21 },
        { id: 34, name: 'news', stream_post_policy: 4 },
      ],
      zerver_defaultstream: [{ id: 1, stream: 31 }],
      zerver_recipient: [
        { id: 41, type: 2, type_id: 31 },
        { id: 42, type: 2, type_id: 32 },
        { id: 43, type: 1, type_id: 12 },
        { id: 44, type: 3, type_id: 51 },
        { id: 45 },
      ],
      zerver_huddle: [{ id: 51 }],
      zerver_subscription: [
        { id: 1, recipient: 41, user_profile: 11, color: '#76CE90', pin_to_top: true, is_muted: true },
        { id: 2, recipient: 42, user_profile: 12, color: 'red' },
        { id: 3, recipient: 41, user_profile: 12, active: false },
        { id: 4, recipient: 44, user_profile: 11 },
        { id: 5, recipient: 44, user_profile: 12 },
        { id: 6, recipient: 99, user_profile: 12 },
      ],
      zerver_usertopic: [
        { id: 1, stream: 31, user_profile: 11, topic_name: 'recipes', visibility_policy: 3 },
        { id: 2, stream: 31, user_profile: 12, visibility_policy: 0 },
      ],
      zerver_savedsnippet: [
        { id: 1, user_profile: 11, title: 'Hello', content: 'hi', date_created: at },
        { id: 2, title: 'from nobody' },
      ],
      zerver_reaction: [
        { id: 1, message: 101, user_profile: 12, emoji_name: 'tada' },
        { id: 2, message: 101 },
      ],
      zerver_draft: [
        { id: 1, user_profile: 11, type: 'stream', to: [31], topic: 'recipes', content: 'not yet', last_edit_time: at },
        { id: 2, user_profile: 11, type: 'private', to: [12, {}], content: 'to @**Bob|12**' },
        { id: 3, type: '', content: 'from nobody' },
        { id: 4, user_profile: 11 },
      ],
      zerver_scheduledmessage: [
        { id: 1, sender: 11, recipient: 41, subject: 'recipes', content: 'later', scheduled_timestamp: LATER },
        { id: 2, sender: 11, recipient: 43, content: 'see @**Bob|12**', scheduled_timestamp: LATER, delivery_type: 1 },
        { id: 3, sender: 11, recipient: 44, content: 'to both', scheduled_timestamp: LATER },
        { id: 4, sender: 11, recipient: 41, content: 'sent', scheduled_timestamp: at, delivered: true },
        { id: 5, sender: 11, recipient: 41, content: 'late', scheduled_timestamp: at },
        { id: 6, sender: 12, recipient: 41, content: 'deactivated', scheduled_timestamp: LATER },
        { id: 7, sender: 11, recipient: 98, content: 'nowhere', scheduled_timestamp: LATER },
        { id: 8, content: 'from nobody' },
        { ...reminder, id: 9, reminder_target_message_id: 101, reminder_note: 'taste it' },
        { ...reminder, id: 10, reminder_target_message_id: 106 },
        { ...reminder, id: 11, reminder_target_message_id: null },
      ],
      zerver_userpresence: [{ id: 1 }],
      zerver_service: [{ id: 1 }],
    },
    'avatars/records.json': [
      { user_profile_id: 11, s3_path: '1/11.png.original' },
      { user_profile_id: 12, path: '1/12.png' },
    ],
    'emoji/records.json': [{ file_name: '1.png', path: '1/1.png' }, { s3_path: '1/2.png.original' }],
    'attachment.json': {
      zerver_attachment: [
        {
          id: 1,
          path_id: '1/a/soup.txt',
          file_name: 'soup.txt',
          owner: 11,
          create_time: at,
          content_type: 'text/plain',
        },
        { id: 2 },
      ],
    },
    'uploads/1/a/soup.txt': 'soup',
    'avatars/1/11.png.original': 'x',
    'messages-000001.json': {
      zerver_message: [
        message(101, 41, 'Hello @**Bob|12** and @_**Eve|99**', {
          last_edit_time: at + 500,
          edit_history: JSON.stringify([
            { user_id: 11, timestamp: at + 500, prev_content: 'Hi' },
            { user_id: 11, timestamp: at + 400, prev_topic: 'old', topic: 'recipes' },
            { prev_subject: 'older' },
          ]),
        }),
        message(102, 42, 'secret #**kitchen>recipes@101**', { last_edit_time: at + 500, edit_history: '{' }),
        message(103, 43, '[file](/user_uploads/1/a/soup.txt) /user_uploads/lost', { last_edit_time: at + 9 }),
        message(104, 44, 'see #narrow/stream/31-kitchen/topic/recipes/near/101 #narrow/channel/99'),
        message(105, 41, '/poll Soup?'),
        message(106, 99, 'nowhere'),
      ],
      zerver_usermessage: [
        { message: 101, user_profile: 11, flags_mask: 3 },
        { message: 101, user_profile: 12, flags_mask: 1024 + 512 + 64 + 32 + 8 + 4 },
        { message: 102, user_profile: 12, flags_mask: 0 },
      ],
    },
  }
}
