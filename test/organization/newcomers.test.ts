import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { apiOf, type World, world } from '../../src/testing/index.ts'

const register = async (w: World, who: string, word: string) =>
  w
    .person(who)
    .api.post('/register', { fetch_event_types: [word], client_capabilities: { user_settings_object: true } })
const newUser = (w: World) =>
  w.people.iago.api.post('/users', { email: 'yorick@example.com', full_name: 'Yorick', password: 'alas poor' })

test('new accounts start with the default settings and existing ones keep theirs', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const set = (params: object) => iago.api.patch('/realm/user_settings_defaults', params as Record<string, unknown>)
  await w.events()
  assert.equal((await set({ twenty_four_hour_time: true, color_scheme: 2 })).status, 200)
  assert.deepEqual(
    (await w.events()).map((event) =>
      event.type === 'realm_user_settings_defaults' ? [event.type, event.property, event.value] : event.type,
    ),
    [
      ['realm_user_settings_defaults', 'twenty_four_hour_time', true],
      ['realm_user_settings_defaults', 'color_scheme', 2],
    ],
  )
  const { realm_user_settings_defaults } = await register(w, 'hamlet', 'realm_user_settings_defaults')
  assert.equal(realm_user_settings_defaults.twenty_four_hour_time, true)
  await newUser(w)
  const { api_key } = await apiOf(w.chat).post('/fetch_api_key', {
    username: 'yorick@example.com',
    password: 'alas poor',
  })
  const yorick = apiOf(w.chat, { email: 'yorick@example.com', key: api_key })
  const { user_settings } = await yorick.post('/register', { fetch_event_types: ['user_settings'] })
  assert.deepEqual([user_settings.twenty_four_hour_time, user_settings.color_scheme], [true, 2])
  assert.equal((await register(w, 'hamlet', 'user_settings')).user_settings.twenty_four_hour_time, false)
  assert.equal((await set({ color_scheme: 9 })).status, 400)
  assert.deepEqual((await set({ allow_private_data_export: true })).ignored_parameters_unsupported, [
    'allow_private_data_export',
  ])
  assert.equal(
    (await hamlet.api.patch('/realm/user_settings_defaults', {})).msg,
    'Must be an organization administrator',
  )
})

test('administrators create, change and remove default stream groups, hidden from guests', async () => {
  await using w = await world({ streams: { verona: {}, secret: { private: true } } })
  const { iago } = w.people
  const group = { group_name: 'Newcomers', description: 'For a start', stream_names: ['verona'] }
  const create = (more: object = {}) => iago.api.post('/default_stream_groups/create', { ...group, ...more })
  assert.equal((await create()).status, 200)
  for (const [more, msg] of [
    [{}, "Default channel group 'Newcomers' already exists"],
    [{ group_name: '' }, "Default channel group name can't be empty!"],
    [{ group_name: 'x'.repeat(61) }, 'Default channel group name too long (limit: 60 characters)'],
    [{ group_name: 'B', stream_names: ['general'] }, "'general' is a default channel and cannot be added to 'B'"],
    [{ group_name: 'B', stream_names: ['secret'] }, 'Private streams cannot be made default.'],
    [{ group_name: 'B', stream_names: ['none'] }, "Stream 'none' does not exist"],
  ] as const) {
    assert.equal((await create(more)).msg, msg)
  }
  const shown = async (who = 'hamlet') => (await register(w, who, 'default_stream_groups')).realm_default_stream_groups
  const verona = await w.streamId('verona')
  assert.deepEqual(await shown(), [{ id: 1, name: 'Newcomers', description: 'For a start', streams: [verona] }])
  assert.deepEqual(await shown('polonius'), [])
  const path = '/default_stream_groups/1'
  assert.equal((await iago.api.patch(path, {})).msg, 'You must pass "new_description" or "new_group_name".')
  assert.equal((await iago.api.patch(path, { new_group_name: 'Fresh' })).status, 200)
  const streams = (op: string) => iago.api.patch(`${path}/streams`, { op, stream_names: ['verona'] })
  assert.match((await streams('add')).msg, /already present/)
  assert.equal((await streams('remove')).status, 200)
  assert.match((await streams('remove')).msg, /not present/)
  assert.equal((await streams('x')).msg, 'Invalid value for "op". Specify one of "add" or "remove".')
  assert.equal((await streams('add')).status, 200)
  await iago.api.delete(`/streams/${verona}`)
  assert.deepEqual(await shown(), [{ id: 1, name: 'Fresh', description: 'For a start', streams: [] }])
  assert.equal((await iago.api.delete(path)).status, 200)
  assert.equal((await iago.api.delete(path)).msg, "Default channel group with id '1' does not exist.")
})

test('a deactivated organization rejects everyone until reactivated from the command line', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  assert.match((await iago.api.post('/realm/deactivate', { deletion_delay_days: 3 })).msg, /doesn't delete deactivated/)
  assert.equal((await hamlet.api.post('/realm/deactivate')).msg, 'Must be an organization owner')
  assert.equal((await iago.api.post('/realm/deactivate')).status, 200)
  const login = { username: hamlet.email, password: hamlet.password }
  for (const answer of [
    await iago.api.get('/users/me'),
    await hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'x' }),
    await apiOf(w.chat).post('/fetch_api_key', login),
  ]) {
    assert.deepEqual(
      [answer.status, answer.code, answer.msg],
      [401, 'REALM_DEACTIVATED', 'This organization has been deactivated'],
    )
  }
  assert.equal((await apiOf(w.chat).get('/server_settings')).status, 200)
  await runCommand(w.chat, 'reactivateOrg', {}, () => {})
  assert.equal((await iago.api.get('/users/me')).status, 200)
  await assert.rejects(
    runCommand(w.chat, 'reactivateOrg', {}, () => {}),
    /isn't deactivated/,
  )
})

test("lists onboarding steps the user hasn't seen", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { onboarding_steps } = await register(w, 'hamlet', 'onboarding_steps')
  assert.ok(onboarding_steps.length > 3)
  const see = (onboarding_step: string) => hamlet.api.post('/users/me/onboarding_steps', { onboarding_step })
  assert.equal((await see('none')).msg, 'Unknown onboarding_step: none')
  await w.events()
  for (const _ of [1, 2]) assert.equal((await see('intro_resolve_topic')).status, 200)
  assert.equal((await w.events()).length, 1)
  const left = (await register(w, 'hamlet', 'onboarding_steps')).onboarding_steps
  assert.equal(left.length, onboarding_steps.length - 1)
})

test('commands apply their change and describe it', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const run = async (command: string) => (await hamlet.api.post('/zcommand', { command })).msg
  assert.equal(await run('/ping'), '')
  assert.equal(await run('/dark'), 'Changed to dark theme!')
  assert.equal((await register(w, 'hamlet', 'user_settings')).user_settings.color_scheme, 2)
  assert.equal(await run('/fluid-width'), 'Changed to fluid-width layout!')
  assert.equal(await run('dark'), 'There should be a leading slash in the zcommand.')
  assert.equal(await run('/constructor'), 'No such command: constructor')
})

test("rejects features that aren't offered like Zulip without them", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const general = await w.streamId('general')
  const answers: [{ status: number; msg: string }, string][] = [
    [await hamlet.api.get('/calls/bigbluebutton/create'), 'BigBlueButton is not configured.'],
    [await hamlet.api.post('/calls/zoom/create'), 'Zoom credentials have not been configured'],
    [await hamlet.api.get('/messages/summary'), 'AI features are not enabled on this server.'],
    [await apiOf(w.chat).post('/jwt/fetch_api_key'), 'JWT authentication is not enabled for this organization'],
    [
      await hamlet.api.get(`/streams/${general}/email_address`),
      "This server doesn't receive email, so its channels have no email addresses.",
    ],
    [await hamlet.api.get('/streams/999/email_address'), 'Invalid stream ID'],
  ]
  for (const [{ status, msg }, expected] of answers) assert.deepEqual([status, msg], [400, expected])
})

test('display settings and a subscription have their own endpoints', async () => {
  await using w = await world()
  const { hamlet } = w.people
  assert.equal((await hamlet.api.patch('/settings/display', { color_scheme: 2 })).status, 200)
  const path = `/users/me/subscriptions/${await w.streamId('general')}`
  assert.equal((await hamlet.api.patch(path, { property: 'is_muted', value: true })).status, 200)
  const { subscriptions } = await hamlet.api.get('/users/me/subscriptions')
  assert.equal(subscriptions[0].is_muted, true)
  assert.equal((await hamlet.api.patch(path, { property: 'x', value: true })).msg, 'Unknown subscription property: x')
})
