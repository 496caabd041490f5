import assert from 'node:assert/strict'
import test from 'node:test'
import { feedsOf } from '../../src/core/bots/feeds/worker.ts'
import { sweep } from '../../src/core/events/queues/sweep.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { exporterOf } from '../../src/core/organization/exports/exporter.ts'
import { routes } from '../../src/http/routes/api.ts'
import { sendMessage } from '../../src/index.ts'
import { type Api, apiOf, type Person, type World, world } from '../../src/testing/index.ts'
import { onePixelPng } from '../fixtures/images.ts'

const withKey = (w: World, who: Person, key = 'k1') => apiOf(w.chat, who, { 'idempotency-key': key })
const DAY_MS = 24 * 3600 * 1000

const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })

/**
 * A request for every action that accepts a key, and how to count its effect. A repetition without a key would add
 * another or fail.
 */
const requests: Record<string, (api: Api, w: World) => ReturnType<Api['post']>> = {
  sendMessage: (api) => api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'once' }),
  addReaction: (api) => api.post('/messages/1/reactions', { emoji_name: 'tada' }),
  addSubmessage: (api, w) =>
    api.post('/submessage', { message_id: made.get(w)!.poll, msg_type: 'widget', content: vote }),
  subscribe: (api) => api.post('/users/me/subscriptions', { subscriptions: [{ name: 'fresh' }] }),
  createUser: (api) => api.post('/users', { email: 'new@example.com', full_name: 'New', password: 'correct horse' }),
  reactivateUser: (api, w) => api.post(`/users/${w.people.polonius.id}/reactivate`),
  muteUser: (api, w) => api.post(`/users/me/muted_users/${w.people.hamlet.id}`),
  moderateUser: (api, w) => api.post(`/users/${w.people.hamlet.id}/moderate`, { actions: ['warn'], reason: 'Spam' }),
  createGroup: (api) => api.post('/user_groups/create', { name: 'crew', description: '', members: [] }),
  deactivateGroup: (api, w) => api.post(`/user_groups/${groupOf(w)}/deactivate`),
  changeMembers: (api, w) => api.post(`/user_groups/${groupOf(w)}/members`, { add: [w.people.hamlet.id] }),
  changeSubgroups: (api, w) => api.post(`/user_groups/${groupOf(w)}/subgroups`, { add: [3] }),
  uploadCustomEmoji: (api) => api.upload('/realm/emoji/blob', onePixelPng()),
  createProfileField: (api) => api.post('/realm/profile_fields', { name: 'Pet', field_type: 1 }),
  createDrafts: (api) => api.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'x' }] }),
  createSavedSnippet: (api) => api.post('/saved_snippets', { title: 'Thanks', content: 'Thank you' }),
  reportMessage: (api) => api.post('/messages/1/report', { report_type: 'spam' }),
  createReminder: (api) => api.post('/reminders', { message_id: 1, scheduled_delivery_timestamp: 4_000_000_000 }),
  addNavigationView: (api) => api.post('/navigation_views', { fragment: 'inbox', is_pinned: true }),
  registerDevice: (api) => api.post('/register_client_device'),
  createScheduledMessage: async (api, w) =>
    api.post('/scheduled_messages', {
      type: 'stream',
      to: await w.streamId('general'),
      topic: 'x',
      content: 'x',
      scheduled_delivery_timestamp: 4_000_000_000,
    }),
  createLinkifier: (api) => api.post('/realm/filters', { pattern: 'x', url_template: 'https://example.com/' }),
  createContentFilter: (api) => api.post('/content_filters', { kind: 'word', pattern: 'spam', action: 'refuse' }),
  createPlayground: (api) =>
    api.post('/realm/playgrounds', { name: 'P', pygments_language: 'C', url_template: 'https://example.com/{code}' }),
  createWebhookTemplate: (api) => api.post('/realm/webhook_templates', { name: 'ci', content: '{{ build }}' }),
  addFeed: (api, w) =>
    api.post(`/bots/${made.get(w)!.bot}/feeds`, { url: 'https://example.com/x', stream: 'general', topic: 'x' }),
  createStreamGroup: (api) =>
    api.post('/default_stream_groups/create', { group_name: 'G', description: '', stream_names: [] }),
  createChannel: (api) => api.post('/channels/create', { name: 'fresh channel', subscribers: [] }),
  createChannelFolder: (api) => api.post('/channel_folders/create', { name: 'F', description: '' }),
  startExport: (api) => api.post('/export/realm', { export_type: 1 }),
  addDomain: (api) => api.post('/realm/domains', { domain: 'example.org', allow_subdomains: true }),
  receiveSlack: (api, w) => api.post(hook(w, 'slack'), { channel_name: 'x', user_name: 'ann', text: 'hello' }),
  receiveSlackIncoming: (api, w) => api.post(hook(w, 'slack_incoming'), { payload: { text: 'hello' } }),
  receiveWebhook: (api, w) => api.post(hook(w, 'json'), { payload: { a: 1 } }),
}
const hook = (w: World, name: string) => `/external/${name}?api_key=${w.people.iago.key}&stream=general`
const made = new WeakMap<World, { group: number; poll: number; bot: number }>()
const groupOf = (w: World) => made.get(w)!.group

/** Why a repetition of these is harmless without a key. */
const harmless: Record<string, string> = {
  devFetchApiKey: 'as fetchApiKey',
  fetchApiKey: 'it rejects the header, as an answer with a secret is not stored',
  fetchApiKeyByToken: 'as fetchApiKey',
  ...Object.fromEntries(
    [
      'createConstructorGroupsCall',
      'createNextcloudTalkCall',
      'createZoomCall',
      'registerPush',
      'testEncryptedNotification',
      'testNotification',
    ].map((name) => [name, 'does nothing']),
  ),
  ...Object.fromEntries(
    ['addApnsToken', 'addFcmToken', 'addWebPushSubscription', 'markOnboardingStep', 'runCommand'].map((name) => [
      name,
      'sets what is set already',
    ]),
  ),
  deactivateOrganization: 'is refused as everything is then',
  acceptInvitation: 'its address is taken then; an answer with a secret is not stored',
  createInviteLink: 'it rejects the header, as an answer with a secret is not stored',
  resendInvite: 'the newest link is the one there is; an answer with a secret is not stored',
  sendInvites: 'the newest invitation to an address is the one there is; an answer with a secret is not stored',
  registerBotCommand: 'changes the command that there is',
  addPasskey: 'a challenge is answered once; an answer with a secret is not stored',
  beginConfirmation: 'the newest challenges are the ones there are',
  confirmWithPasskey: 'a challenge is answered once',
  beginPasskey: 'the newest challenges are the ones there are',
  createApiKey: 'it rejects the header, as an answer with a secret is not stored',
  createBot: 'its address is taken then; an answer with a secret is not stored',
  regenerateBotKey: 'the newest key is the one there is; an answer with a secret is not stored',
  regenerateApiKey: 'the newest key is the one there is; an answer with a secret is not stored',
  mergeUser: 'the account is gone then, and a repetition says so',
  beginTotp: 'the newest secret is the one there is; an answer with a secret is not stored',
  confirmOwnTotp: 'a secret is confirmed once; an answer with a secret is not stored',
  replaceRecoveryCodes: 'a code works once; an answer with a secret is not stored',
  createPasswordLink: 'the newest link is the one there is; an answer with a secret is not stored',
  setPasswordByLink: 'the link ends with its first use',
  confirmEmailChange: 'the link ends with its first use',
  undoEmailChange: 'the link ends with its first use',
  retryMail: 'an email that waits is sent once',
  startOwnExport: 'there is one at a time, and the list of exports has it',
  createImportJob: 'there is one at a time, and the list of imports has it',
  startImportJob: 'what runs already is not started again',
  undoImport: 'there is one job at a time, and an import is undone once',
  inviteNewcomers: 'the newest link is the one there is; an answer with a secret is not stored',
  testMail: 'a second copy of a test',
  createSignOnProvider: 'its name is taken then',
  testSignOnProvider: 'changes nothing',
  requestSignUp: 'a solved challenge works once',
  requestPasswordReset: 'an account gets at most two emails an hour',
  register: 'a queue that nobody reads ends by itself',
  renderMessage: 'changes nothing',
  ...Object.fromEntries(
    [
      ...['updateFlags', 'updateFlagsForNarrow', 'markAllAsRead', 'markStreamAsRead', 'markTopicAsRead'],
      ...['addDefaultStream', 'updateProperties', 'updateUserTopic', 'addAlertWords', 'updateStatus', 'updatePresence'],
      'pinMessage',
    ].map((name) => [name, 'sets what is set already']),
  ),
  setTyping: 'says again that somebody types',
  setTypingForEdit: 'says again that somebody types',
  deleteTopic: 'deletes what is left',
  updateStatusOf: 'sets what is set already',
  testWebhookTemplate: 'sends nothing',
  testWelcomeText: 'a second copy of a test, to the caller alone',
  removeDevice: 'the device is gone then, and nothing else changes',
  uploadFile: 'a copy that no message refers to goes by itself',
  createTusUpload: 'an upload that nobody continues ends by itself',
  uploadAvatar: 'the picture is the same',
  uploadIcon: 'the picture is the same',
  uploadLogo: 'the picture is the same',
}

async function scene(): Promise<World> {
  const w = await world({ streams: { reports: { private: true, members: ['iago'] } } })
  const { iago, polonius } = w.people
  const poll = await iago.says('/poll Who?\na\nb')
  await iago.api.patch('/realm', { moderation_request_channel_id: await w.streamId('reports') })
  const { group_id } = await iago.api.post('/user_groups/create', { name: 'cast', description: '', members: [] })
  await iago.api.delete(`/users/${polonius.id}`)
  const { user_id } = await iago.api.post('/bots', { full_name: 'Bot', short_name: 'b' })
  made.set(w, { group: group_id, poll: poll.id, bot: user_id })
  return w
}

test('every POST takes an Idempotency-Key or is safe to repeat', () => {
  const actions = [...new Set(Object.values(routes).flatMap((row) => (row.POST ? [row.POST] : [])))]
  assert.deepEqual(
    actions
      .filter((one) => one.idempotencyKey)
      .map((one) => one.name)
      .sort(),
    Object.keys(requests).sort(),
  )
  assert.deepEqual(
    actions
      .filter((one) => !one.idempotencyKey)
      .map((one) => one.name)
      .sort(),
    Object.keys(harmless).sort(),
  )
})

for (const [name, ask] of Object.entries(requests)) {
  test(`${name} runs once per Idempotency-Key and answers the same`, async () => {
    await using w = await scene()
    const api = withKey(w, w.people.iago)
    await w.events()
    const answers = await Promise.all([1, 2, 3].map(() => ask(api, w)))
    assert.equal(answers[0]!.status, 200, answers[0]!.msg)
    await exporterOf(w.chat).settled()
    // A new feed is read, which fails in this world.
    await feedsOf(w.chat).settled()
    const events = (await w.events()).length
    answers.push(await ask(api, w))
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    assert.ok(events > 0)
    assert.deepEqual(await w.events(), [])
  })
}

test('rejects a reused key with a different request and changes nothing', async () => {
  await using w = await scene()
  const { iago } = w.people
  const api = withKey(w, iago)
  const message = { type: 'stream', to: 'general', topic: 'x', content: 'one' } as const
  await api.post('/messages', message)
  await w.events()
  for (const refused of [
    await api.post('/messages', { ...message, content: 'two' }),
    await api.post('/users/me/subscriptions', { subscriptions: [{ name: 'fresh' }] }),
  ]) {
    assert.deepEqual([refused.status, refused.code], [409, 'IDEMPOTENCY_KEY_REUSED'])
    assert.match(refused.msg, /used for a different request/)
  }
  assert.deepEqual(await w.events(), [])
})

test('rejects a key where the response is a secret, and makes nothing', async () => {
  await using w = await world({ chat: { passwordCost: 4 } })
  const { iago } = w.people
  const api = withKey(w, iago)
  const rejected = [400, "This request doesn't accept an Idempotency-Key, because its response contains a secret."]
  for (const path of ['/invites/multiuse', '/fetch_api_key']) {
    const { status, msg } = await api.post(path, { username: 'iago@example.com', password: 'wrong' })
    assert.deepEqual([status, msg], rejected, path)
  }
  assert.deepEqual((await iago.api.get('/invites')).invites, [])
})

test('scopes a key to its user', async () => {
  await using w = await scene()
  const { iago, hamlet } = w.people
  const send = (api: Api) => api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'one' })
  const ids = [
    (await send(withKey(w, iago))).id,
    (await send(withKey(w, hamlet))).id,
    (await send(withKey(w, iago, 'k2'))).id,
    (await send(iago.api)).id,
    (await send(iago.api)).id,
  ]
  assert.equal(new Set(ids).size, 5)
})

test('a rejected request leaves no trace of its key', async () => {
  await using w = await scene()
  const { iago } = w.people
  const api = withKey(w, iago)
  assert.equal((await api.post('/messages', { type: 'stream', to: 'none', topic: 'x', content: 'x' })).status, 400)
  assert.equal((await api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'x' })).status, 200)
})

test('a key expires after a day, swept or not', async () => {
  await using w = await scene()
  const { iago } = w.people
  const api = withKey(w, iago)
  const send = async (content: string) =>
    (await api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content })).id
  const first = await send('one')
  // In one step, so that no sweep runs in between.
  const rows = () => storeOf(w.chat).db.selectFrom('idempotency_key').select('key').execute()
  await storeOf(w.chat).write(({ db }) =>
    db
      .updateTable('idempotency_key')
      .set((eb) => ({ created_at: eb('created_at', '-', DAY_MS / 1000) }))
      .execute(),
  )
  assert.equal((await rows()).length, 1)
  assert.notEqual(await send('two'), first)
  w.clock.advance(DAY_MS)
  await sweep(w.chat)
  assert.deepEqual(await rows(), [])
})

test('rejects an invalid key', async () => {
  await using w = await scene()
  for (const key of ['x'.repeat(256), 'ü']) {
    const { status, msg } = await withKey(w, w.people.iago, key).post('/user_groups/create', {
      name: 'x',
      description: '',
      members: [],
    })
    assert.deepEqual([status, msg], [400, 'Idempotency-Key must have 1 to 255 printable ASCII characters'])
  }
})

test('no password can be guessed from the data stored with a key', async () => {
  await using w = await scene()
  await requests.createUser!(withKey(w, w.people.iago), w)
  const [row] = await storeOf(w.chat).db.selectFrom('idempotency_key').selectAll().execute()
  const { createHash } = await import('node:crypto')
  const params = { email: 'new@example.com', full_name: 'New', password: 'correct horse' }
  const plain = createHash('sha256')
    .update(JSON.stringify(['createUser', params]))
    .digest('base64url')
  assert.notEqual(row!.digest, plain)
  assert.ok(!JSON.stringify(row).includes('correct horse'))
})

test('ignores keys inside a write, where the caller decides', async () => {
  await using w = await scene()
  const { iago } = w.people
  const keyed = { ...iago, idempotencyKey: 'k1' }
  const message = { type: 'stream', to: 'general', topic: 'x', content: 'one' } as const
  const ids = await keyed.write(async (tx) => [await sendMessage(tx, message), await sendMessage(tx, message)])
  assert.notEqual(ids[0]!.id, ids[1]!.id)
})
