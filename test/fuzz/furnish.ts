import { issuePasswordLink } from '../../src/core/accounts/password-links.ts'
import { busOf } from '../../src/core/events/log/bus.ts'
import { importerOf } from '../../src/core/files/import-uploads.ts'
import { sendMessage } from '../../src/core/messages/send/send.ts'
import { exporterOf } from '../../src/core/organization/exports/exporter.ts'
import { API_PREFIX, type App } from '../../src/http/app.ts'
import type { PostRequest } from '../../src/network/post.ts'
import { PASSWORD } from '../../src/testing/person.ts'
import type { World } from '../../src/testing/world.ts'
import { onePixelPng } from '../fixtures/images.ts'
import { jsonLines } from '../import/archives.ts'
import { subscribedBrowser } from '../push/browser.ts'
import { appSecrets, pushDevice } from '../push/device.ts'
import type { Known } from './values.ts'

export const callServers = {
  bigBlueButton: 'https://:secret@bbb.example.com/bigbluebutton',
  constructorGroups: 'https://access:secret@groups.example.com/api/groups/xapi',
  nextcloudTalk: 'https://bot:secret@cloud.example.com',
}

/** Answers for servers elsewhere. */
export const post = async ({ url }: PostRequest) => {
  if (url.includes('/spreed/')) return { status: 201, body: '{"ocs":{"data":{"token":"x7k2mn9p"}}}' }
  if (url.endsWith('/room/default')) return { status: 200, body: '{"url":"https://groups.example.com/room/1"}' }
  const meeting = '<response><returncode>SUCCESS</returncode><createTime>1</createTime></response>'
  return { status: 200, body: url.includes('/api/create') ? meeting : '{}' }
}

/** Documents elsewhere never change. */
export const fetch = async () => ({ status: 304, headers: {}, bytes: new Uint8Array() })

/** An archive to import, with a message. */
export const history = (id: string): string =>
  jsonLines(
    { type: 'user', id, name: 'Ann', email: `ann${id}@example.com` },
    { type: 'channel', id, name: 'kitchen' },
    { type: 'message', id, user: id, date: 1_700_000_000, channel: id, topic: 'soup', content: 'hot' },
  )

/** Creates something of every kind to read, change and remove, and returns the ids. */
export async function furnish(w: World, app: App): Promise<Known> {
  const { iago, hamlet, cordelia, polonius } = w.people
  const people = [iago, hamlet, cordelia, polonius, w.person('bot'), w.person('viola')]
  const message_ids: number[] = []
  for (const who of [iago, hamlet]) {
    message_ids.push((await who.says(`hello @**cordelia** :smile: ${who.id}`)).id)
    message_ids.push((await who.says('in verona', { stream: 'verona', topic: 'x' })).id)
    message_ids.push((await who.says('between us', { people: [cordelia, polonius] })).id)
  }
  message_ids.push((await cordelia.says('hidden', { stream: 'secret', topic: 'x' })).id)
  message_ids.push((await iago.says('/poll Who?\nme\nyou')).id)
  await sendMessage(hamlet, { type: 'private', to: [iago.id], content: 'later', deliver_at: '2030-01-01' })
  for (const { api } of people) await api.post(`/messages/${message_ids[0]}/reactions`, { emoji_name: 'smile' })
  await iago.api.upload('/realm/emoji/blob', onePixelPng())
  await iago.api.post('/realm/profile_fields', { name: 'Pet', field_type: 1 })
  await iago.api.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' })
  await iago.api.post('/realm/playgrounds', {
    name: 'Py',
    pygments_language: 'Python',
    url_template: 'https://x/{code}',
  })
  await iago.api.patch('/realm', { enable_spectator_access: true })
  await iago.api.patch(`/streams/${await w.streamId('verona')}`, { is_web_public: true })
  const uploads: string[] = []
  const pictures: string[] = []
  for (const who of [hamlet, cordelia]) {
    uploads.push((await who.api.upload('/user_uploads', onePixelPng(), 'é 1.png')).url)
    await who.says(`[a](${uploads.at(-1)})`)
  }
  const filename = uploads.map((url) => url.replace('/user_uploads/1/', ''))
  for (const { api } of [iago, hamlet, cordelia]) {
    const { avatar_url } = await api.upload('/users/me/avatar', onePixelPng(), 'me.png')
    pictures.push(avatar_url.replace(/^.*\/|\?.*$/g, ''))
  }
  const temporary = (await hamlet.api.get(encodeURI(uploads[0]!))).url
  const exports: unknown[] = [(await iago.api.post('/export/realm')).id, (await iago.api.post('/export/realm')).id]
  exports.push((await hamlet.api.post('/users/me/exports')).id)
  await exporterOf(w.chat).settled()
  const archives = (await iago.api.get('/export/realm')).exports.map((one: { export_url: string }) =>
    one.export_url.replace(/^.*\/exports\//, ''),
  )
  const groups: unknown[] = []
  for (const name of ['crew', 'cast', 'court', 'chorus']) {
    groups.push((await iago.api.post('/user_groups/create', { name, description: '', members: [hamlet.id] })).group_id)
  }
  const provider = { issuer: 'https://id.example.com', client_id: 'chat' }
  await iago.api.post('/sign_on/providers', {
    name: 'company',
    provider,
    client_secret: 'a secret',
    password: PASSWORD,
  })
  await iago.api.post('/import_job', { server_file: 'old.jsonl' })
  await importerOf(w.chat).settled()
  await iago.api.post('/import_job/start')
  await importerOf(w.chat).settled()
  await iago.api.post('/import_job', { server_file: 'next.jsonl' })
  await importerOf(w.chat).settled()
  await iago.api.post('/content_filters', { kind: 'word', pattern: 'forbidden', action: 'flag' })
  await iago.api.post('/realm/webhook_templates', { name: 'ci', content: '{{ build }}' })
  await hamlet.api.post('/register_client_device')
  await hamlet.api.post('/navigation_views', { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' })
  await hamlet.api.post('/reminders', { message_id: message_ids[0], scheduled_delivery_timestamp: 4_000_000_000 })
  await hamlet.api.post('/saved_snippets', { title: 'Thanks', content: 'Thank you' })
  await hamlet.api.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'x' }] })
  const made: unknown[] = []
  for (const bot_type of [1, 2, 3]) {
    const names = { full_name: `Bot ${bot_type}`, short_name: `b${bot_type}` }
    made.push((await hamlet.api.post('/bots', { ...names, bot_type, payload_url: '"https://example.com"' })).user_id)
  }
  await hamlet.api.post('/bot_commands', { bot_id: made[0], name: 'deploy', description: 'Deploys.' })
  await iago.api.post('/default_stream_groups/create', { group_name: 'New people', description: '', stream_names: [] })
  for (const name of ['Work', 'Fun']) await iago.api.post('/channel_folders/create', { name, description: 'x' })
  const { invite_link } = await iago.api.post('/invites/multiuse', { stream_ids: [1] })
  const tokens = [new URL(invite_link).searchParams.get('token')]
  await hamlet.api.post('/invites', { invitee_emails: 'yorick@example.com', stream_ids: [] })
  await iago.api.post('/realm/domains', { domain: 'example.com', allow_subdomains: true })
  for (const [i, { api }] of people.entries()) {
    await api.post('/users/me/web_push_subscriptions', subscribedBrowser(`https://push.example.com/${i}`).subscription)
    await api.post('/users/me/apns_device_token', { token: 'abcdef12', appid: 'org.x' })
    await api.post('/users/me/android_gcm_reg_id', { token: 'abcdef12' })
  }
  const queues: unknown[] = ['nonsense']
  for (const { api } of people) queues.push((await api.post('/register')).queue_id)
  for (const { api } of people) await api.post('/users/me/presence', { status: 'active' })
  await hamlet.api.post(`/users/me/muted_users/${cordelia.id}`)
  // For a user who sends no requests, because it revokes their keys.
  const { path } = await iago.write((tx) => issuePasswordLink(tx, w.person('osric').id))
  tokens.push(path.split('=')[1]!)
  const streams = [await w.streamId('general'), await w.streamId('verona'), await w.streamId('secret')]
  const users = [...people, w.person('gone')].map((who) => who.id)
  const absent = [999, 2 ** 40]
  await iago.api.patch('/realm', { moderation_request_channel_id: streams[2] })
  await iago.api.delete(`/users/${w.person('gone').id}`)
  await iago.api.post('/users', { email: 'gertrude@example.com', full_name: 'Gertrude', password: 'correct horse' })
  for (const who of [iago, hamlet, cordelia, polonius]) {
    const authorization = `Basic ${Buffer.from(`${who.email}:${who.key}`).toString('base64')}`
    const headers = { authorization, 'tus-resumable': '1.0.0', 'upload-length': '3' }
    const begun = await app.fetch(new Request(`http://localhost${API_PREFIX}/tus`, { method: 'POST', headers }))
    tokens.push(begun.headers.get('location')!.split('/').at(-1)!)
  }
  const device = appSecrets()
  await pushDevice(w, hamlet)
  const { url: call } = await hamlet.api.get('/calls/bigbluebutton/create')
  const stream_ids = [...streams, ...absent]
  const user_ids = [...users, ...absent]
  const group_ids = [...groups, ...groups, 2, 8, ...absent]
  const message = [...message_ids, ...absent]
  const anchor = [...message, 'newest', 'oldest', 'first_unread', 'date']
  const email = people.map((who) => who.email)
  const head = busOf(w.chat).head()
  const known: Known[] = [
    { message_id: message, messages: message, message_ids: message, anchor, num_before: [0, 10], num_after: [0, 10] },
    { anchor_date: ['2026-01-01', '2026-01-01T10:00:00+02:00', 'x'] },
    { stream_id: stream_ids, new_stream_id: stream_ids, stream: ['general', 'verona', 'secret', 'none'] },
    { report_type: ['spam', 'other', 'x'], target_users: [{ user_ids: user_ids, skip_if_already_edited: false }, {}] },
    { actions: [{}, { delete_profile: true }, { delete_direct_messages: true, delete_public_channel_messages: true }] },
    {
      ...Object.fromEntries(
        Object.entries({ ...device.keyFields, ...device.tokenFields }).map(([k, value]) => [k, [value]]),
      ),
    },
    { bigbluebutton: [call.split('bigbluebutton=')[1], 'x'], room_name: ['Plot'], meeting_name: ['Plot'] },
    {
      tus_resumable: ['1.0.0'],
      upload_length: [0, 3],
      upload_offset: [0],
      integration: ['json', 'slack_incoming', 'x'],
    },
    { field_type: [1, 2, 4, 5, 6, 7], example_input: ['T-1'], reverse_template: ['T-{id}'], url: uploads },
    { device_id: [1, 2, ...absent], reminder_id: [1, ...absent], fragment: ['inbox', 'narrow/is/alerted', 'x'] },
    { draft_id: [1, ...absent], saved_snippet_id: [1, ...absent], scheduled_message_id: [1, ...absent] },
    { include_subscribers: [true, 'partial', 'some'], subscribers: user_ids },
    { user_id: user_ids, muted_user_id: user_ids, members: user_ids, user_ids, principals: [...user_ids, ...email] },
    { user_group_id: group_ids, add: [...groups, ...user_ids], delete: [...groups, ...user_ids], subgroups: group_ids },
    { add_subgroups: group_ids, delete_subgroups: group_ids, direct_subgroups: group_ids, direct_members: user_ids },
    {
      to: [...user_ids, ...stream_ids, ...email, 'general', 'verona', 'secret'],
      type: ['stream', 'private', 'direct'],
    },
    { topic: ['greetings', 'x', 'GREETINGS', 'new'], topic_name: ['greetings', 'x'], local_id: ['1', '2', '3'] },
    {
      queue_id: queues,
      last_event_id: [-1, 0, 1, head, head + 1000],
      field_id: [1, 2],
      bot_id: [...users, ...made, ...absent],
      key_id: [1, 2, 3, ...absent],
      passkey_id: [1, 2, ...absent],
      linked_account_id: [1, 2, ...absent],
      keys: ['a', 'b', 'constructor'],
      storage: [{ a: 'x' }, { constructor: 'x', b: '' }, { __proto__: 'x' }],
      order: [
        [1, 2],
        [2, 1],
      ],
      data: [1, 2],
    },
    {
      mail_id: [1, 2, ...absent],
      address: [...email, 'x'],
      state: ['queued', 'failed', 'open', 'taken', 'closed', 'x'],
    },
    {
      import_id: [1, ...absent],
      source: ['jsonl', 'slack'],
      topic_gap_hours: [1, 4],
      nth: [0, 1],
      server_file: ['next.jsonl', '../x'],
      size: [1, 100],
    },
    {
      provider_id: [1, ...absent],
      provider: [{ issuer: 'https://id.example.com', client_id: 'chat' }, { issuer: 'x' }, {}],
    },
    { report_id: [1, 2, ...absent], since: [0], minutes: [1, 0] },
    { export_id: [...exports, ...absent], export_type: [1, 2, 3], path: [...archives, '1/x/y.tar.gz'] },
    { template_id: [1, ...absent], command_id: [1, ...absent], usage: ['', '<branch>'] },
    {
      kind: ['feed', 'calendar', 'word', 'domain', 'pattern'],
      url: ['https://example.com/feed.xml', 'ftp://x'],
      feed_id: [1, ...absent],
    },
    { widget_content: ['{"widget_type":"poll","extra_data":{}}', '{}', 'x'] },
    { content_filter_id: [1, ...absent], action: ['refuse', 'hold', 'flag'] },
    { terms_version: [1], terms: ['1'], terms_text: [''], terms_required_after: ['unlimited'] },
    { held_message_id: [1, 2, ...absent], decision: ['approve', 'trust', 'reject', 'Fine'] },
    { filter_id: [1, 2, ...absent], playground_id: [1, ...absent], ordered_linkifier_ids: [1, 2] },
    {
      pattern: ['T-(?P<id>[0-9]+)', '(?P<id>a+)+$', '(', '[^a]{1,400}', '(?P<id>.*)', '\\pL+(?P<id>.)'],
      url_template: ['https://example.com/{id}', 'javascript:{id}', '{+id}', '{', 'https://example.com/{code}'],
      pygments_language: ['Python', 'js', 'a$'],
    },
    { emoji_name: ['smile', 'heart', 'blob', 'BLOB', 'fresh one', 'Straße'], emoji_code: ['1f642', '1', 'zulip'] },
    { reaction_type: ['unicode_emoji', 'realm_emoji', 'service_extra_emoji'], flag: ['read', 'starred', 'mentioned'] },
    { new_email: [...email, 'bea@example.com'], email_address_visibility: [1, 2, 3, 4, 5, 6] },
    { user: [...user_ids, ...email, '999', 'nobody@example.com', '7.png'] },
    {
      email: [...email, 'ann@example.com', 'ärger@exämple.com'],
      username: ['gertrude@example.com', ...email],
      full_name: ['Ann', 'hamlet'],
    },
    { password: ['correct horse', 'wrong horse'], password_again: ['correct horse', 'wrong horse'] },
    { name: ['general', 'verona', 'crew', 'Fresh', 'Fresh too'] },
    {
      op: ['add', 'remove', 'start', 'stop'],
      content: [
        'hello',
        '{"type":"vote","key":"canned,0","vote":1}',
        '@**hamlet**',
        '```js\nx\n```',
        ...uploads.map((url) => `[x](${url})`),
      ],
      description: ['', 'd'],
    },
    {
      status: ['active', 'idle'],
      msg_type: ['widget'],
      role: [100, 200, 300, 400, 600],
      delivery_type: ['send_later'],
    },
    {
      realm_id: ['1'],
      filename: [...filename, ...filename.map((name) => name.split('/').at(-1)), 'x.png'],
      attachment_id: [1, 2, 3],
    },
    {
      file: [...pictures, '1.png', '2.png', '12-A.png', 'icon.png', 'x'],
      resume_from: ['x:1'],
      user: [...user_ids, ...email],
    },
    {
      bot_type: [1, 2, 3, 4],
      short_name: ['fresh', 'b1', 'ü'],
      payload_url: ['"https://example.com/x"', 'https://example.com', 'ftp://x'],
      service_payload_url: ['"https://example.com/y"', ''],
      interface_type: [1, 2],
      service_interface: [1, 2],
      config_data: [{}, { a: 'b' }, { a: '' }],
      default_sending_stream: ['general', 'secret', ''],
      default_events_register_stream: ['verona', ''],
      bot_owner_id: user_ids,
    },
    {
      group_id: [1, ...absent],
      channel_folder_id: [1, 2, ...absent],
      topics_policy: ['inherit', 'empty_topic_only', '"disable_empty_topic"', 'x'],
      folder_id: [1, 2, null, ...absent],
      slow_mode_seconds: [0, 1],
      block: [true, false],
      onboarding_step: ['intro_resolve_topic', 'x'],
      command: ['/dark', '/ping', 'x'],
      group_name: ['Fresh', 'New people'],
      stream_names: ['general', 'verona'],
      deletion_delay_days: [0, 30],
      invite_id: [1, 2, ...absent],
      invitee_emails: ['new@example.com', 'hamlet@example.com, fresh@example.org', 'x'],
      invite_as: [100, 200, 400, 600],
      invite_expires_in_minutes: [null, 10],
      stream_ids: [...streams],
      group_ids: [...groups],
      token: ['1-x', 'x', 'abcdef12', temporary.split('/')[3], ...tokens],
      appid: ['org.x'],
      domain: ['example.com', 'example.org', 'x'],
      event: ['push', 'issues', 'ping', 'Push Hook', 'constructor', '{{ x }}', '{% if %}'],
      payload: [
        {},
        { zen: '@**all**' },
        { text: 'hi <!here>' },
        [],
        { repository: { name: 'x' }, sender: { login: 'y' } },
      ],
      channel_name: ['general', '#none'],
      user_name: ['ann'],
      user: [...user_ids, ...email],
    },
    {
      endpoint: [0, 1, 2].map((i) => `https://push.example.com/${i}`),
      p256dh: [subscribedBrowser().subscription.p256dh],
      auth: ['A'.repeat(22)],
    },
    { property: ['color', 'is_muted', 'pin_to_top'], deliver_at: ['2999-01-01', '253402300799', '1'] },
  ]
  return Object.assign({}, ...known)
}
