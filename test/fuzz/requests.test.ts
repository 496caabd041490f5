import assert from 'node:assert/strict'
import test from 'node:test'
import { inspect } from 'node:util'
import { systemCaller } from '../../src/core/accounts/create-organization.ts'
import { reactivateUser } from '../../src/core/accounts/deactivate.ts'
import { findByApiKey, issueKey } from '../../src/core/accounts/keys.ts'
import { issuePasswordLink } from '../../src/core/accounts/password-links.ts'
import { busOf } from '../../src/core/events/log/bus.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { findUser } from '../../src/core/kernel/user.ts'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import { sendMessage } from '../../src/core/messages/send/send.ts'
import { exporterOf } from '../../src/core/organization/exports/exporter.ts'
import { API_PREFIX, type App, createApp } from '../../src/http/app.ts'
import { planOf } from '../../src/http/decode.ts'
import { type AnyAction, methods, type Routes } from '../../src/http/route-types.ts'
import { routes } from '../../src/http/routes/api.ts'
import { pageSection } from '../../src/http/routes/pages.ts'
import { sessionSection } from '../../src/http/routes/session.ts'
import { siteSection } from '../../src/http/routes/site.ts'
import { type AnySchema, isOptional } from '../../src/http/schema-kinds.ts'
import { BROWSER_PREFIX } from '../../src/http/sign-in/session.ts'
import type { PostRequest } from '../../src/network/post.ts'
import { apiOf } from '../../src/testing/api.ts'
import { collecting, type LogEntry } from '../../src/testing/server.ts'
import { type World, world } from '../../src/testing/world.ts'
import { onePixelPng } from '../fixtures/images.ts'
import { subscribedBrowser } from '../push/browser.ts'
import { appSecrets, PUSH_SERVICE, pushDevice } from '../push/device.ts'
import { seeded } from '../random.ts'
import { rounds } from '../rounds.ts'
import { type Chance, fileBytes, type Known, wireText } from './values.ts'

const firstSeed = Number(process.env.SEED ?? 1)
/** Requests to one world: after these, too many accounts in it are deactivated. */
const PER_WORLD = 300
const HANG_MS = 60_000

const rowsOf = (table: Routes, prefix: string) =>
  Object.entries(table).flatMap(([path, row]) =>
    Object.entries(row).map(([method, action]) => ({ path: prefix + path, method, action: action as AnyAction })),
  )
const served = [
  ...rowsOf(routes, API_PREFIX),
  ...rowsOf(sessionSection.routes, BROWSER_PREFIX),
  ...rowsOf(siteSection.routes, ''),
  ...rowsOf(pageSection.routes, ''),
].filter(
  // After it, all requests fail.
  ({ path }) => !path.endsWith('/realm/deactivate'),
)

/** `FUZZ=50000 SEED=7 node test/run.js fuzz/requests` sends more, and other, requests. */
const usual = 30 * served.length

/** They always refuse, because this server has nothing of the kind. */
const refusing = new Set([
  ...['createConstructorGroupsCall', 'createZoomCall', 'fetchApiKeyByToken', 'showBotKey', 'getStreamEmail'],
  'summarizeMessages',
])
const total = rounds({ short: 5 * served.length, full: usual, variable: 'FUZZ' })

test(`answers all of ${total} random requests without a bug`, async (t) => {
  t.diagnostic(`seed ${firstSeed}, ${total} requests`)
  const answered: Answered = new Map()
  for (let done = 0, seed = firstSeed; done < total; done += PER_WORLD, seed++) {
    await fuzzOneWorld(seed, Math.min(PER_WORLD, total - done), answered)
  }
  const missed = served.filter((row) => !isReached(answered, row) && !refusing.has(row.action.name))
  t.diagnostic(`not reached: ${missed.map(({ path, method }) => `${method} ${path}`).join(', ')}`)
  // Otherwise the requests are too random to reach the code under test.
  if (total >= usual)
    assert.ok(
      missed.length <= served.length * 0.15,
      `not reached: ${missed.map(({ path, method }) => `${method} ${path}`).join(', ')}`,
    )
})

type Operation = (typeof served)[number]
/** How often each operation was answered with each status, such as `GET /api/v1/users 200`. */
type Answered = Map<string, number>

const isReached = (answered: Answered, { path, method }: Operation) =>
  [200, 201, 204, 302].some((status) => answered.has(`${method} ${path} ${status}`))

async function fuzzOneWorld(seed: number, count: number, answered: Answered): Promise<void> {
  const random = seeded(seed)
  const below = (sides: number) => Math.floor(random() * sides)
  const chance: Chance = { below, pick: (list) => list[below(list.length)]!, oneIn: (sides) => below(sides) === 0 }
  const log: LogEntry[] = []
  await using w = await world({
    people: { bot: { bot: true }, viola: { role: 'administrator' }, osric: {}, gone: {} },
    streams: {
      verona: { members: ['iago', 'hamlet', 'polonius'] },
      secret: { private: true, members: ['iago', 'cordelia'] },
    },
    chat: { logger: collecting(log), dev: true, pushService: PUSH_SERVICE, callServers, outgoing: { post } },
  })
  const known = await furnish(w)
  const logins: Logins = new Map()
  const app = createApp({ chat: w.chat, rateLimit: false })
  for (let done = 0; done < count; ) {
    await signIn(w, logins, chance)
    // Every other request goes to an operation that none has reached yet.
    const missed = served.filter((row) => !isReached(answered, row) && !refusing.has(row.action.name))
    const batch = Array.from({ length: Math.min(1 + below(6), count - done) }, () =>
      question(chance, missed.length > 0 && chance.oneIn(2) ? missed : served, w, known, logins),
    )
    done += batch.length
    await Promise.all(
      batch.map(async (asked) => {
        const status = await ask(app, asked, `seed ${seed}: ${asked.detail}`).catch((error: Error) => {
          throw new Error(`${error.message}\nthe log: ${inspect(log, { depth: 5 })}`, { cause: error })
        })
        const key = `${asked.method} ${asked.path} ${status}`
        answered.set(key, (answered.get(key) ?? 0) + 1)
      }),
    )
    if (chance.oneIn(20)) w.clock.advance(chance.pick([1000, 60_000, 3_600_000]))
  }
  await schedulerOf(w.chat).settled()
  // Everything stored can be read again by everybody.
  await signIn(w, logins, { ...chance, oneIn: () => true })
  for (const name of actors) {
    const api = apiOf(w.chat, logins.get(name)!)
    const reads = [
      await api.post('/register', { include_subscribers: true, all_public_streams: false }),
      await api.get('/messages', { anchor: 'newest', num_before: 1000, num_after: 0 }),
      await api.get('/users', { include_custom_profile_fields: true }),
    ]
    for (const { status, msg } of reads) assert.ok(status < 500, `seed ${seed}: ${name} reads: ${status} ${msg}`)
  }
  assert.deepEqual(log, [])
  // PostgreSQL checks foreign keys at each change, and its server has tools of its own.
  if (!storeOf(w.chat).peers) {
    const { integrity, foreign_key_errors } = await storeOf(w.chat).inspect()
    assert.deepEqual({ integrity, foreign_key_errors }, { integrity: ['ok'], foreign_key_errors: 0 })
  }
  assert.deepEqual(Object.keys(Object.prototype), [])
  assert.equal('polluted' in {}, false)
}

const callServers = {
  bigBlueButton: 'https://:secret@bbb.example.com/bigbluebutton',
  nextcloudTalk: 'https://bot:secret@cloud.example.com',
}

/** Answers for servers elsewhere. */
const post = async ({ url }: PostRequest) => {
  if (url.includes('/spreed/')) return { status: 201, body: '{"ocs":{"data":{"token":"x7k2mn9p"}}}' }
  const meeting = '<response><returncode>SUCCESS</returncode><createTime>1</createTime></response>'
  return { status: 200, body: url.includes('/api/create') ? meeting : '{}' }
}

/** Creates something of every kind to read, change and remove, and returns the ids. */
async function furnish(w: World): Promise<Known> {
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
  await exporterOf(w.chat).settled()
  const archives = (await iago.api.get('/export/realm')).exports.map((one: { export_url: string }) =>
    one.export_url.replace(/^.*\/exports\//, ''),
  )
  const groups: unknown[] = []
  for (const name of ['crew', 'cast', 'court', 'chorus']) {
    groups.push((await iago.api.post('/user_groups/create', { name, description: '', members: [hamlet.id] })).group_id)
  }
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
  const app = createApp({ chat: w.chat, rateLimit: false })
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
      keys: ['a', 'b', 'constructor'],
      storage: [{ a: 'x' }, { constructor: 'x', b: '' }, { __proto__: 'x' }],
      order: [
        [1, 2],
        [2, 1],
      ],
      data: [1, 2],
    },
    { mail_id: [1, 2, ...absent], address: [...email, 'x'], state: ['queued', 'failed', 'x'] },
    { export_id: [...exports, ...absent], export_type: [1, 2, 3], path: [...archives, '1/x/y.tar.gz'] },
    { template_id: [1, ...absent], command_id: [1, ...absent], usage: ['', '<branch>'] },
    { kind: ['feed', 'calendar'], url: ['https://example.com/feed.xml', 'ftp://x'], feed_id: [1, ...absent] },
    { widget_content: ['{"widget_type":"poll","extra_data":{}}', '{}', 'x'] },
    { filter_id: [1, 2, ...absent], playground_id: [1, ...absent], ordered_linkifier_ids: [1, 2] },
    {
      pattern: ['T-(?P<id>[0-9]+)', '(?P<id>a+)+$', '(', '[^a]{1,400}', '(?P<id>.*)', '\\pL+(?P<id>.)'],
      url_template: ['https://example.com/{id}', 'javascript:{id}', '{+id}', '{', 'https://example.com/{code}'],
      pygments_language: ['Python', 'js', 'a$'],
    },
    { emoji_name: ['smile', 'heart', 'blob', 'BLOB', 'fresh one', 'Straße'], emoji_code: ['1f604', '1', 'zulip'] },
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

/** The queue that `furnish` registered for them. */
const queueOf = (known: Known, email: string) => known.queue_id![known.email!.indexOf(email) + 1]

interface Question {
  request: Request
  method: string
  path: string
  action: AnyAction
  /** A description of the request, for the message of a failure. */
  detail: string
  /** Ends a poll that waits. */
  stop: AbortController
}

const actors = ['iago', 'viola', 'hamlet', 'cordelia', 'polonius', 'bot']
/** What they sign in with, by name. */
type Logins = Map<string, { email: string; key: string }>

/** The requests change addresses, end keys and close accounts: those who are out come back, sooner or later. */
async function signIn(w: World, logins: Logins, chance: Chance): Promise<void> {
  const system = await systemCaller(w.chat)
  for (const name of actors) {
    const { id, key: first } = w.person(name)
    const user = (await findUser(system.db, id))!
    if (!user.is_active && chance.oneIn(4)) await reactivateUser(system, { user_id: id })
    const { key = first } = logins.get(name) ?? {}
    const valid = (await findByApiKey(w.chat, key))?.user.id === id
    const renewed = valid ? key : await system.write((tx) => issueKey(tx, id))
    logins.set(name, { email: user.delivery_email, key: renewed })
  }
}

function question(chance: Chance, among: readonly Operation[], w: World, known: Known, logins: Logins): Question {
  const { path, method: usual, action } = chance.pick(among)
  const method = chance.oneIn(30) ? chance.pick([...methods, 'HEAD', 'OPTIONS']) : usual
  const name = chance.pick([...actors, 'hamlet'])
  const who = w.person(name)
  const login = logins.get(name)!
  const schemas = (action.params as unknown as { entries: Record<string, AnySchema> }).entries
  const file = planOf(action.params).file?.name
  const given: [string, string][] = []
  // Chooses one optional parameter as often as several, because more of them make errors more likely.
  const leaving = chance.pick([1.2, 3, Object.keys(schemas).length])
  for (const [name, schema] of Object.entries(schemas)) {
    if (name === file || (isOptional(schema) ? chance.below(leaving * 100) >= 100 : chance.oneIn(30))) continue
    const own = name === 'queue_id' && !chance.oneIn(4)
    given.push([name, own ? String(queueOf(known, who.email)) : wireText(chance, name, schema, known)])
  }
  if (chance.oneIn(10))
    given.push([chance.pick(['__proto__', 'constructor', 'client', 'x', '', 'ü']), chance.pick(['1', '{"a":1}'])])
  const where = path.replace(/(\*\*)?:(\w+)(\([^)]*\))?/g, (_, rest?: string, name = '', digits?: string) => {
    if (digits && !known[name]) throw new Error(`the fuzzer knows no value for :${name}; add some to furnish()`)
    const value = digits ? String(chance.pick(known[name]!)) : (given.find(([key]) => key === name)?.[1] ?? 'x')
    const encoded = encodeURIComponent(value.toWellFormed()) || 'x'
    return chance.oneIn(60)
      ? chance.pick(['%00', '%2f', '..', '%ff', '1e0', '-1', '%2e%2e%2f', '9'.repeat(30)])
      : rest
        ? encoded.replaceAll('%2F', '/')
        : encoded
  })
  const url = new URL(`http://localhost${where}`)
  const init: RequestInit & { headers: Record<string, string> } = { method, headers: {} }
  if (!chance.oneIn(action.spectators ? 4 : 50))
    init.headers.authorization = `Basic ${Buffer.from(`${login.email}:${login.key}`).toString('base64')}`
  if (path.startsWith(BROWSER_PREFIX) && !chance.oneIn(4)) init.headers['x-requested-with'] = 'fetch'
  if (action.credentials === 'query') url.searchParams.set('api_key', login.key)
  if (chance.oneIn(5)) init.headers['idempotency-key'] = chance.pick(['1', '2', '3', 'x'.repeat(300)])
  for (const [parameter, header] of Object.entries(action.headers ?? {})) {
    const value = given.find(([name]) => name === parameter)?.[1]
    // Other characters can't be in a header.
    if (value !== undefined && /^[\x20-\x7e]*$/.test(value) && value.length < 4000) init.headers[header] = value
  }
  const bodiless = method === 'GET' || method === 'HEAD'
  const raw = action.body && !chance.oneIn(20) ? chance.pick(action.body.types) : undefined
  if (!bodiless && file && raw) {
    for (const [name, value] of given) if (value.length < 20_000) url.searchParams.append(name, value)
    init.headers['content-type'] = raw
    init.body = chance.pick([fileBytes(chance), Buffer.from('abc')])
  } else if (!bodiless && file && !chance.oneIn(20)) {
    const form = new FormData()
    for (const [name, value] of given) form.append(name, value.toWellFormed())
    form.append(
      chance.oneIn(20) ? 'other' : 'filename',
      new Blob([fileBytes(chance)]),
      chance.pick(['a.png', '../x', '']),
    )
    init.body = form
  } else if (bodiless || chance.oneIn(5)) {
    // Several hundred kilobytes do not fit into a URL.
    for (const [name, value] of given) if (value.length < 20_000) url.searchParams.append(name, value)
  } else if (chance.oneIn(8)) {
    const form = new FormData()
    for (const [name, value] of given) form.append(name, value)
    init.body = form
  } else if (chance.oneIn(3)) {
    init.headers['content-type'] = chance.pick(['application/json', 'application/json; charset=utf-8'])
    init.body = jsonBody(chance, action, given)
  } else init.body = new URLSearchParams(given)
  const stop = new AbortController()
  const detail = `${who.email} ${method} ${url.pathname} ${JSON.stringify(Object.fromEntries(given)).slice(0, 1500)}`
  // With another method it may be another operation that answers.
  const answering = served.find((row) => row.path === path && row.method === method)?.action ?? action
  return { request: new Request(url, { ...init, signal: stop.signal }), method, path, action: answering, detail, stop }
}

/** The same parameters as members of a JSON object, sometimes made invalid. */
function jsonBody(chance: Chance, { params }: AnyAction, given: [string, string][]): string {
  const texts = new Set(planOf(params).entries.flatMap(({ name, encoding }) => (encoding === 'text' ? [name] : [])))
  const members = given.map(([name, text]) => {
    const isValue = isJson(text) && (!texts.has(name) || chance.oneIn(20))
    return `${JSON.stringify(name)}:${isValue ? text : JSON.stringify(text)}`
  })
  const text = `{${members.join(',')}}`
  if (!chance.oneIn(20)) return text
  return chance.pick([text.slice(0, chance.below(text.length)), `[${text}]`, `{"__proto__":${text}}`, 'null', '\u0000'])
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Sends the request, and checks what holds for every answer. */
async function ask(app: App, { request, method, path, action, stop }: Question, where: string): Promise<number> {
  const patience = setTimeout(() => stop.abort(), /\/events(\/stream)?$/.test(path) ? 20 : HANG_MS)
  let timer: NodeJS.Timeout | undefined
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer: ${where}`)), HANG_MS)
  })
  try {
    const response = await Promise.race([app.fetch(request), hang])
    const { status } = response
    const type = response.headers.get('content-type') ?? ''
    if (type.startsWith('text/event-stream')) {
      const reader = response.body!.getReader()
      assert.match(Buffer.from((await Promise.race([reader.read(), hang])).value!).toString(), /^id: /, where)
      await reader.cancel()
      return status
    }
    const text = await Promise.race([response.text(), hang])
    assert.ok(status < 500, `${status} ${text} for ${where}`)
    if (method === 'HEAD' || method === 'OPTIONS') return status
    if (action.answers === 'protocol' && status >= 200 && status < 300) return status
    const isAnswer = status === 200 || status === 302
    if (isAnswer && /^(bytes|redirect|text)$/.test(action.answers ?? '')) return status
    // A page says what is wrong as a page.
    if (action.answers === 'page' && type.startsWith('text/html')) return status
    assert.match(type, /^application\/json/, `${status} for ${where}`)
    const body = JSON.parse(text) as Record<string, unknown>
    const ok = status === 200
    assert.deepEqual([body.result, typeof body.msg], [ok ? 'success' : 'error', 'string'], where)
    // Of a slash command the message is the answer.
    if (ok) assert.ok(body.msg === '' || action.name === 'runCommand', where)
    else assert.match(String(body.code), /^[A-Z_]+$/, where)
    return status
  } finally {
    clearTimeout(patience)
    clearTimeout(timer)
  }
}
