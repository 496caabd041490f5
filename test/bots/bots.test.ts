import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { actAs } from '../../src/core/accounts/act-as.ts'
import { createBot } from '../../src/core/bots/create.ts'
import { regenerateBotKey } from '../../src/core/bots/regenerate-key.ts'
import { showBotKey } from '../../src/core/bots/show-key.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { writePerson } from '../../src/core/organization/exports/write-person.ts'
import { apiOf, type Person, type World, world } from '../../src/testing/index.ts'
import { browser, login, opened } from '../accounts/passkey-browser.ts'
import { listen } from '../messages/listen.ts'
import { readArchive } from '../organization/exports/read-archive.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const skull = { full_name: 'Skull', short_name: 'skull' }
const create = (who: Person, more: object = {}) => who.api.post('/bots', { ...skull, ...more })
const asBot = (w: World, key: string, email = 'skull-bot@localhost') => apiOf(w.chat, { email, key })
const said = (content: string) => ({ type: 'stream', to: 'general', topic: 'x', content })

test('a member creates a bot, sees its key and sends messages with it', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { status, user_id, api_key, avatar_url, ...rest } = await create(hamlet, { default_sending_stream: 'general' })
  assert.equal(status, 200)
  assert.match(api_key, /^[A-Za-z0-9]{32}$/)
  assert.match(avatar_url, /^https:\/\/secure\.gravatar\.com\//)
  assert.deepEqual(rest, {
    result: 'success',
    msg: '',
    default_sending_stream: 'general',
    default_events_register_stream: null,
    default_all_public_streams: false,
  })
  const bot = asBot(w, api_key)
  assert.equal((await bot.post('/messages', said('alas'))).status, 200)
  const own = await bot.get('/users/me')
  assert.deepEqual([own.email, own.is_bot, own.bot_type, own.bot_owner_id], ['skull-bot@localhost', true, 1, hamlet.id])
  assert.equal(own.user_id, user_id)
  const { bots } = await hamlet.api.get('/bots')
  assert.deepEqual(bots, [
    {
      username: 'skull-bot@localhost',
      full_name: 'Skull',
      api_key,
      avatar_url,
      default_sending_stream: 'general',
      default_events_register_stream: null,
      default_all_public_streams: false,
    },
  ])
  assert.deepEqual((await w.people.iago.api.get('/bots')).bots, [])
})

test("explains why a bot can't be created", async () => {
  await using w = await world({ people: { robot: { bot: true } } })
  const { hamlet, polonius } = w.people
  await create(hamlet)
  const refusals: [Person, object, string][] = [
    [hamlet, {}, 'Username already in use'],
    [hamlet, { short_name: 'other' }, 'Name is already in use!'],
    [hamlet, { short_name: 'a b', full_name: 'Other' }, 'Bad name or username'],
    [hamlet, { short_name: 'other', full_name: 'Other', bot_type: 4 }, 'Embedded bots are not enabled.'],
    [hamlet, { short_name: 'other', full_name: 'Other', bot_type: 5 }, 'Invalid bot type'],
    [hamlet, { short_name: 'other', full_name: 'Other', bot_type: 3 }, 'payload_url is not a URL'],
    [
      hamlet,
      { short_name: 'other', full_name: 'Other', bot_type: 3, payload_url: '"ftp://x"' },
      'payload_url is not a URL',
    ],
    [hamlet, { short_name: 'other', full_name: 'Other', interface_type: 3 }, 'Invalid interface type'],
    [hamlet, { short_name: 'other', full_name: 'Other', default_sending_stream: 'no' }, "Stream 'no' does not exist"],
    [polonius, {}, 'Not allowed for guest users'],
    [w.person('robot'), {}, 'Insufficient permission'],
  ]
  await w.events()
  for (const [who, more, msg] of refusals) {
    const answer = await create(who, more)
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  assert.deepEqual(await w.events(), [])
})

test('accepts the address of an outgoing webhook with and without quotes', async () => {
  await using w = await world()
  const { hamlet } = w.people
  for (const [i, payload_url] of ['"https://example.com/a"', 'https://example.com/a'].entries()) {
    await create(hamlet, { full_name: `B${i}`, short_name: `b${i}`, bot_type: 3, payload_url, interface_type: 2 })
  }
  const { realm_bots } = await hamlet.api.post('/register', { fetch_event_types: ['realm_bot'] })
  for (const bot of realm_bots) {
    const [{ token, ...service }] = bot.services
    assert.deepEqual(service, { base_url: 'https://example.com/a', interface: 2 })
    assert.match(token, /^\w{32}$/)
  }
  const hidden = { full_name: 'B9', short_name: 'b9', bot_type: 3, payload_url: '"https://example.com/\\u0000b"' }
  assert.equal((await create(hamlet, hidden)).msg, 'payload_url must not contain null characters')
})

test("only a bot's owner and administrators can change it", async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { user_id } = await create(hamlet)
  const path = `/bots/${user_id}`
  assert.equal((await cordelia.api.patch(path, { full_name: 'Mine' })).msg, 'Insufficient permission')
  assert.equal((await cordelia.api.delete(path)).msg, 'Insufficient permission')
  assert.equal((await cordelia.api.post(`${path}/api_key/regenerate`)).msg, 'Insufficient permission')
  assert.equal((await hamlet.api.patch(`/bots/${cordelia.id}`, {})).msg, 'No such bot')
  const changes = { full_name: 'Yorick', config_data: { template: 'x' }, default_all_public_streams: true }
  const { status, avatar_url: _, ...answer } = await hamlet.api.patch(path, changes)
  assert.deepEqual(
    [status, answer],
    [
      200,
      {
        result: 'success',
        msg: '',
        ...changes,
        service_interface: null,
        service_payload_url: null,
        default_sending_stream: null,
        default_events_register_stream: null,
        bot_owner: hamlet.email,
      },
    ],
  )
  assert.deepEqual((await iago.api.patch(path, { config_data: { template: '' } })).config_data, {})
  assert.equal((await iago.api.patch(path, { service_interface: 2 })).msg, 'Invalid bot type')
})

test('a bot gives its owner no additional permissions', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { user_id } = await create(hamlet)
  const path = `/bots/${user_id}`
  assert.equal((await hamlet.api.patch(path, { role: 200 })).msg, 'Must be an organization administrator')
  assert.equal((await iago.api.patch(path, { role: 200 })).status, 200)
  assert.equal((await hamlet.api.post(`${path}/api_key/regenerate`)).msg, 'Insufficient permission')
  assert.equal((await hamlet.api.get(`${path}/api_key`)).msg, 'Insufficient permission')
  assert.equal('api_key' in (await hamlet.api.get('/bots')).bots[0], false)
  await iago.api.patch(`/users/${hamlet.id}`, { role: 200 })
  assert.equal((await hamlet.api.patch(path, { role: 100 })).msg, 'Must be an organization owner')
  assert.equal((await hamlet.api.post(`${path}/api_key/regenerate`)).status, 200)
})

test('notifies the new owner, the former owner and everyone else of an ownership change', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { user_id } = await create(hamlet)
  const refused = async (bot_owner_id: number) => (await hamlet.api.patch(`/bots/${user_id}`, { bot_owner_id })).msg
  assert.equal(await refused(999), 'Failed to change owner, no such user')
  assert.equal(await refused(user_id), "Failed to change owner, bots can't own other bots")
  await iago.api.delete(`/users/${w.people.polonius.id}`)
  assert.equal(await refused(w.people.polonius.id), 'Failed to change owner, user is deactivated')
  await w.events()
  assert.equal((await hamlet.api.patch(`/bots/${user_id}`, { bot_owner_id: cordelia.id })).bot_owner, cordelia.email)
  const events = await w.events()
  assert.deepEqual(
    events.map((event) => `${event.type} ${'op' in event && event.op}`),
    ['realm_bot delete', 'realm_bot add', 'realm_user update'],
  )
  assert.equal((await hamlet.api.patch(`/bots/${user_id}`, {})).msg, 'Insufficient permission')
  assert.equal((await cordelia.api.get('/bots')).bots.length, 1)
})

test('rejects the old key after a new one and all keys after a deactivation', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { user_id, api_key } = await create(hamlet)
  const fresh = await hamlet.api.post(`/bots/${user_id}/api_key/regenerate`)
  assert.equal((await asBot(w, api_key).post('/messages', said('x'))).code, 'INVALID_API_KEY')
  assert.equal((await asBot(w, fresh.api_key).post('/messages', said('x'))).status, 200)
  assert.equal((await hamlet.api.delete(`/bots/${user_id}`)).status, 200)
  assert.equal((await asBot(w, fresh.api_key).post('/messages', said('x'))).code, 'USER_DEACTIVATED')
  assert.deepEqual((await hamlet.api.get('/bots')).bots, [])
})

test('an incoming webhook can only send messages', async () => {
  await using w = await world()
  const { api_key } = await create(w.people.hamlet, { bot_type: 2 })
  const bot = asBot(w, api_key)
  assert.equal((await bot.post('/messages', said('alas'))).status, 200)
  for (const answer of [
    await bot.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
    await bot.post('/register'),
    await bot.get('/users'),
    await bot.patch('/settings', {}),
  ]) {
    assert.deepEqual([answer.status, answer.msg], [401, 'This API is not available to incoming webhook bots.'])
  }
})

test('queues of a bot use its configured defaults unless registration overrides them', async () => {
  await using w = await world({ streams: { verona: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const { api_key } = await create(hamlet, {
    default_events_register_stream: 'verona',
    default_all_public_streams: true,
  })
  const bot = asBot(w, api_key)
  const { queue_id, last_event_id } = await bot.post('/register', { event_types: ['message'], narrow: [] })
  await iago.says('here', { stream: 'verona' })
  await iago.says('elsewhere')
  const { events } = await bot.get('/events', { queue_id, last_event_id, dont_block: true })
  assert.deepEqual(
    events.map((event: { message: { content: string } }) => event.message.content),
    ['here'],
  )
})

test("creates a bot through /json as the official bots' script does", async () => {
  await using w = await world()
  const { createApp } = await import('../../src/http/app.ts')
  const { hamlet } = w.people
  const response = await createApp({ chat: w.chat }).fetch(
    new Request('http://localhost/json/bots', {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${hamlet.email}:${hamlet.key}`).toString('base64')}` },
      body: new URLSearchParams(skull),
    }),
  )
  assert.equal(response.status, 200)
  assert.equal((await hamlet.api.get('/bots')).bots.length, 1)
})

test('rejects an invalid avatar and creates no bot', async () => {
  await using w = await world()
  const answer = await w.people.hamlet.api.upload('/bots?full_name=Skull&short_name=skull', new Uint8Array([1]))
  assert.deepEqual([answer.status, answer.code], [400, 'BAD_IMAGE'])
  assert.deepEqual((await w.people.hamlet.api.get('/bots')).bots, [])
})

test('gives a bot another address, which it signs in with', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { user_id, api_key } = await create(hamlet)
  await create(hamlet, { full_name: 'Osric', short_name: 'osric' })
  const path = `/bots/${user_id}`
  assert.equal((await hamlet.api.patch(path, { short_name: 'osric' })).msg, 'Username already in use')
  for (const short_name of ['', ' ', 'a b', '@']) {
    assert.equal((await hamlet.api.patch(path, { short_name })).msg, 'Bad name or username', short_name)
  }
  await w.events()
  assert.equal((await hamlet.api.patch(path, { short_name: 'yorick' })).status, 200)
  const email = 'yorick-bot@localhost'
  const changes: object[] = (await w.events()).flatMap((event) =>
    event.type === 'realm_user' && event.op === 'update' ? [event.person] : [],
  )
  assert.deepEqual(changes.slice(0, 2), [
    { user_id, delivery_email: email },
    { user_id, new_email: email },
  ])
  assert.equal((await apiOf(w.chat, { email, key: api_key }).get('/users/me')).user_id, user_id)
  assert.equal((await hamlet.api.patch(path, { short_name: 'yorick' })).status, 200)
})

test('describes bots by five members, and announces only changes of these', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { user_id } = await create(hamlet)
  const { realm_bots } = await hamlet.api.post('/register', { fetch_event_types: ['realm_bot'] })
  const defaults = {
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
  }
  assert.deepEqual(realm_bots, [{ user_id, ...defaults, services: [] }])
  const received = await listen(hamlet, ['realm_bot'])
  const path = `/bots/${user_id}`
  await hamlet.api.patch(path, { full_name: 'Yorick', short_name: 'yorick' })
  await hamlet.api.post(`${path}/api_key/regenerate`)
  await hamlet.api.patch(path, { default_all_public_streams: true })
  await hamlet.api.delete(path)
  assert.deepEqual(await received(), [
    { type: 'realm_bot', op: 'update', bot: { user_id, default_all_public_streams: true } },
  ])
})

test('shows the newest key of a bot to its owner and to administrators', async () => {
  await using w = await world({ people: { robot: { bot: true } } })
  const { hamlet, cordelia, iago, robot } = w.people
  const { user_id, api_key } = await create(hamlet)
  const path = `/bots/${user_id}/api_key`
  const shown = await hamlet.api.get(path)
  assert.deepEqual(shown, { ...shown, status: 200, result: 'success', msg: '', api_key })
  assert.equal((await iago.api.get(path)).api_key, api_key)
  assert.equal((await asBot(w, shown.api_key).post('/messages', said('alas'))).status, 200)
  assert.equal((await cordelia.api.get(path)).msg, 'Insufficient permission')
  assert.equal((await hamlet.api.get('/bots/999/api_key')).msg, 'No such bot')
  const fresh = await hamlet.api.post(`${path}/regenerate`)
  assert.equal((await hamlet.api.get(path)).api_key, fresh.api_key)
  assert.equal((await hamlet.api.get('/bots')).bots[0].api_key, fresh.api_key)
  // A key that was issued without being sealed, as by older versions.
  assert.match((await iago.api.get(`/bots/${robot.id}/api_key`)).msg, /^This bot has no API key that can be shown/)
  assert.equal('api_key' in (await iago.api.get('/bots')).bots[0], false)
})

test("sessions of browsers can't read keys of bots", async () => {
  await using w = await opened()
  const { hamlet } = w.people
  const { user_id, api_key } = await create(hamlet)
  const b = browser(w)
  await b.ask('POST', '/session', login(hamlet))
  assert.match((await b.ask('GET', `/bots/${user_id}/api_key`)).msg, /^In a browser, keys of bots are shown only once/)
  assert.equal('api_key' in (await b.ask('GET', '/bots')).bots[0], false)
  assert.equal((await hamlet.api.get(`/bots/${user_id}/api_key`)).api_key, api_key)
})

test("the audit log doesn't contain the encrypted key that a bot revokes", async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { api_key } = await create(hamlet)
  const bot = asBot(w, api_key)
  const { api_keys } = await bot.get('/users/me/api_keys')
  assert.equal((await bot.delete(`/users/me/api_keys/${api_keys[0].id}`)).status, 200)
  const { entries } = await iago.api.get('/audit', { action: 'endApiKey' })

  assert.equal(entries[0].before.sealed, '(hidden)')
})

test("the export of a bot's data doesn't contain its encrypted key", async () => {
  await using w = await world()
  const { user_id } = await create(w.people.hamlet)
  using work = new TemporaryFolder()
  const path = join(work.path, 'a.tar.gz')
  await writePerson(contextOf(w.chat), user_id, { path, work: work.path, folder: 'export' })
  const { api_key } = (await readArchive(createReadStream(path))).json('account.json')
  assert.deepEqual([api_key.length, api_key[0].name, 'sealed' in api_key[0]], [1, 'Skull', false])
})

test('a revoked key gets no keys of bots, even in a request that is under way', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { user_id: bot_id } = await create(hamlet)
  const { api_key } = await apiOf(w.chat).post('/fetch_api_key', { username: hamlet.email, password: hamlet.password })
  const thief = await actAs(w.chat, { api_key })
  await showBotKey(thief, { bot_id })
  await hamlet.api.delete('/users/me/api_keys')
  const revoked = { code: 'INVALID_API_KEY' }
  await assert.rejects(showBotKey(thief, { bot_id }), revoked)
  await assert.rejects(regenerateBotKey(thief, { bot_id }), revoked)
  await assert.rejects(createBot(thief, { full_name: 'His', short_name: 'his' }), revoked)
})

test("a limited key gets no keys of bots, and the database doesn't contain them", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { user_id, api_key } = await create(hamlet)
  const token = await hamlet.api.post('/users/me/api_keys', {
    name: 'Script',
    scopes: ['read'],
    password: hamlet.password,
  })
  const limited = apiOf(w.chat, { email: hamlet.email, key: token.api_key })
  const { bots } = await limited.get('/bots')
  assert.deepEqual([bots.length, 'api_key' in bots[0]], [1, false])
  assert.equal((await limited.get(`/bots/${user_id}/api_key`)).status, 403)
  const { image } = await w.snapshot()
  assert.equal(Buffer.from(image).includes(api_key), false)
})
