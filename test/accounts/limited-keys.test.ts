import assert from 'node:assert/strict'
import test from 'node:test'
import { setRole } from '../../src/core/accounts/change-role.ts'
import { MAX_TOKENS_PER_USER } from '../../src/core/accounts/issue-token.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { createApp } from '../../src/http/app.ts'
import { actAs, getMessages, issueKey, roles, sendMessage, setPassword } from '../../src/index.ts'
import { type Answer, apiOf, type Person, type World, world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'

const DAY_MS = 86_400_000

const make = ({ api, password }: Person, given: object) =>
  api.post('/users/me/api_keys', { name: 'Script', scopes: ['read'], password, ...given })
async function limited(w: World, who: Person, given: object = {}) {
  const { status, msg, api_key: key, id } = await make(who, given)
  assert.equal(status, 200, msg)
  return { id, key, api: apiOf(w.chat, { email: who.email, key }) }
}
const message = (to: string | number, topic = 'greetings') => ({ type: 'stream', to, topic, content: 'hello' })

test('a limited key permits its scope, and answers everything else with 403 and a code', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { api, key } = await limited(w, hamlet)
  assert.match(key, /^cst_[A-Za-z0-9]{38}$/)
  assert.equal((await api.get('/users/me')).status, 200)
  assert.deepEqual(await api.post('/messages', message('general')), {
    status: 403,
    result: 'error',
    code: 'INSUFFICIENT_SCOPE',
    msg: 'This API key is limited. The request needs a key with the scope "send"',
    required: 'send',
  })
  const sending = await limited(w, hamlet, { scopes: ['send'] })
  assert.equal((await sending.api.post('/messages', message('general'))).status, 200)
  assert.equal((await sending.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).required, 'read')
  const both = await limited(w, hamlet, { scopes: ['send', 'read', 'read'] })
  assert.equal((await both.api.post('/messages', message('general'))).status, 200)
  assert.equal((await both.api.get('/users/me')).status, 200)
})

test('a limited key is stored as a digest, listed with its limits, and shown once', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { id, key, api } = await limited(w, hamlet, { name: ' Reports ', expires_in_days: 7 })
  w.clock.advance(2000)
  await api.get('/users/me')
  const { api_keys } = await hamlet.api.get('/users/me/api_keys')
  const now = w.clock.now() / 1000
  assert.deepEqual(
    api_keys.find((one: { id: number }) => one.id === id),
    {
      ...{ id, name: 'Reports', kind: 'token', created_at: now - 2, last_used_at: now, last_address: null },
      ...{ expires_at: now - 2 + 7 * 86_400, scopes: ['read'], channels: null, current: false },
    },
  )
  const rows = await storeOf(w.chat).db.selectFrom('api_key').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(key))
  const audit = await storeOf(w.chat).db.selectFrom('audit').selectAll().execute()
  assert.ok(!JSON.stringify(audit).includes(key))
  const row = audit.find(({ action }) => action === 'createApiKey')!
  assert.deepEqual([row.subject_kind, row.subject_id, row.actor_id], ['key', id, hamlet.id])
  assert.equal(JSON.parse(row.after!).scopes, 'read')
})

test('a limited key is valid to the second, and its end cuts a waiting poll', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { api } = await limited(w, hamlet, { expires_in_days: 1 })
  const { queue_id } = await api.post('/register', { event_types: ['message'] })
  w.clock.advance(DAY_MS - 1000)
  assert.equal((await api.get('/users/me')).status, 200)
  const polling = api.get('/events', { queue_id, last_event_id: -1 })
  w.clock.advance(1000)
  assert.equal((await api.get('/users/me')).code, 'INVALID_API_KEY')
  const ended = await polling
  assert.deepEqual([ended.status, ended.code], [401, 'INVALID_API_KEY'])
  await iago.says('after the end')
  const { db } = storeOf(w.chat)
  await eventually(
    'the key is removed',
    async () => (await db.selectFrom('api_key').select('id').where('kind', '=', 'token').execute()).length === 0,
  )
  const audit = await storeOf(w.chat).db.selectFrom('audit').select(['action', 'after']).execute()
  assert.ok(audit.some(({ action, after }) => action === 'endApiKey' && after === '{"expired":true}'))
})

test('a key that is limited to channels sends there and nowhere else', async () => {
  await using w = await world({
    streams: { alerts: { members: ['hamlet'] }, den: { private: true, members: ['iago'] } },
  })
  const { hamlet, cordelia } = w.people
  const alerts = await w.streamId('alerts')
  const { api } = await limited(w, hamlet, { scopes: ['send'], channels: [alerts] })
  for (const to of ['alerts', alerts, 'ALERTS', [alerts]] as string[])
    assert.equal((await api.post('/messages', message(to))).status, 200, `${to}`)
  const denied = async (path: string, params: object) => {
    const answer = await api.post(path, params as Record<string, unknown>)
    assert.deepEqual([answer.status, answer.code], [403, 'INSUFFICIENT_SCOPE'], `${path} ${JSON.stringify(params)}`)
  }
  await denied('/messages', message('general'))
  await denied('/messages', { type: 'direct', to: [cordelia.id], content: 'psst' })
  await denied('/messages', { ...message('general'), deliver_at: '2030-01-01T00:00:00Z' })
  const { id } = await hamlet.says('x')
  await denied(`/messages/${id}/reactions`, { emoji_name: 'smile' })
  await denied('/typing', { op: 'start', to: [cordelia.id] })
  const inHall = await hamlet.api.patch(`/streams/${alerts}`, { new_name: 'hall' })
  if (inHall.status === 200) assert.equal((await api.post('/messages', message('hall'))).status, 200)
  const refused = async (given: object) => (await make(hamlet, { scopes: ['send'], ...given })).msg
  assert.match(await refused({ channels: [await w.streamId('den')] }), /There is no channel/)
  assert.match(await refused({ channels: [] }), /Choose at least one channel/)
  assert.match(await refused({ channels: [alerts], scopes: ['send', 'read'] }), /Only keys that send/)
})

test('a webhook posts with a limited key, only to its channels', async () => {
  await using w = await world({ streams: { alerts: { members: ['hamlet'] } } })
  const { hamlet } = w.people
  const { key, api } = await limited(w, hamlet, { scopes: ['webhook'], channels: [await w.streamId('alerts')] })
  const post = (stream: string) =>
    apiOf(w.chat).post(`/external/json?api_key=${key}&stream=${stream}&topic=x`, { payload: { a: 1 } })
  assert.equal((await post('alerts')).status, 200)
  assert.equal((await post('general')).code, 'INSUFFICIENT_SCOPE')
  assert.equal((await api.post('/messages', message('alerts'))).code, 'INSUFFICIENT_SCOPE')
  const slack = apiOf(w.chat, undefined, { authorization: `Bearer ${key}` })
  const bySlack = async (channel: string) => (await slack.post('/../chat.postMessage', { channel, text: 'hello' })).ok
  assert.deepEqual([await bySlack('general'), await bySlack('alerts')], [false, true])
})

test('a limited key makes no keys, and confirms nothing', async () => {
  await using w = await world()
  const { iago } = w.people
  const { api } = await limited(w, iago, { scopes: ['manage', 'write', 'read', 'send'] })
  const tries = await Promise.all([
    api.post('/users/me/api_keys', { name: 'x', scopes: ['manage'], password: iago.password }),
    api.post('/users/me/api_key/regenerate'),
    api.get('/users/me/api_keys'),
    api.delete('/users/me/api_keys'),
    api.post('/users/me/totp', { password: iago.password }),
    api.post('/bots', { full_name: 'Bot', short_name: 'bot' }),
    api.post('/invites/multiuse', { stream_ids: [] }),
    api.post('/users', { email: 'new@example.com', full_name: 'New', password: iago.password }),
    api.patch('/settings', { old_password: iago.password, new_password: 'another horse' }),
    api.patch('/realm', { name: 'Mine' }),
  ])
  for (const { code, required } of tries) assert.deepEqual([code, required], ['INSUFFICIENT_SCOPE', 'account'])
})

test('a stolen session or key alone makes no limited key', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const before = (await hamlet.api.get('/users/me/api_keys')).api_keys.length
  assert.match((await make(hamlet, { password: undefined })).msg, /enter your password/)
  assert.equal((await make(hamlet, { password: 'wrong horse' })).code, 'AUTHENTICATION_FAILED')
  const app = createApp({ chat: w.chat, rateLimit: false })
  const headers = { 'x-requested-with': 'test', origin: 'http://localhost', cookie: '' }
  const login = new URLSearchParams({ username: hamlet.email, password: hamlet.password })
  const begun = await app.fetch(new Request('http://localhost/json/session', { method: 'POST', headers, body: login }))
  headers.cookie = begun.headers.get('set-cookie')!.split(';')[0]!
  const create = () => {
    const body = new URLSearchParams({ name: 'x', scopes: '["read"]' })
    return app.fetch(new Request('http://localhost/json/users/me/api_keys', { method: 'POST', headers, body }))
  }
  assert.equal((await create()).status, 400)
  assert.equal((await hamlet.api.get('/users/me/api_keys')).api_keys.length, before + 1)
})

test('limited keys end with the account, the password and signing out everywhere, and a role limits them', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const status = async (of: { api: Person['api'] }) => (await of.api.get('/users/me')).status
  const first = await limited(w, hamlet)
  await hamlet.api.delete('/users/me/api_keys')
  assert.equal(await status(first), 401)
  const second = await limited(w, hamlet)
  await iago.api.delete(`/users/${hamlet.id}`)
  await iago.api.post(`/users/${hamlet.id}/reactivate`)
  assert.equal(await status(second), 401)
  const third = await limited(w, cordelia)
  await iago.write((tx) => setPassword(tx, cordelia.id, 'scrypt$4$x$x'))
  assert.equal(await status(third), 401)
  const managing = await limited(w, iago, { scopes: ['manage'] })
  const rename = () => managing.api.post('/channel_folders/create', { name: 'x', description: '' })
  assert.equal((await rename()).status, 200)
  await iago.write(async (tx) => {
    await setRole(tx, cordelia.id, roles.owner)
    await setRole(tx, iago.id, roles.member)
  })
  assert.equal((await rename()).msg, 'Must be an organization administrator')
})

test('many sign-ins revoke no limited key, and an account has at most a hundred of them', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { api } = await limited(w, hamlet)
  for (let i = 0; i < 105; i++) await hamlet.write((tx) => issueKey(tx, hamlet.id))
  assert.equal((await api.get('/users/me')).status, 200)
  const known = await actAs(w.chat, { user_id: hamlet.id })
  const { issueToken } = await import('../../src/core/accounts/issue-token.ts')
  for (let i = 1; i < MAX_TOKENS_PER_USER; i++)
    await known.write((tx) => issueToken(tx, tx.user, { name: `${i}`, scopes: ['read'] }))
  const one = known.write((tx) => issueToken(tx, tx.user, { name: 'one more', scopes: ['read'] }))
  await assert.rejects(one, /You have 100 limited keys/)
})

test('rejects bad names, scopes and ends', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const refused = async (given: object, who = hamlet) => {
    const { status, msg } = await make(who, given)
    assert.equal(status, 400, JSON.stringify(given))
    return msg
  }
  assert.equal(await refused({ name: '  ' }), 'Give the key a name.')
  await refused({ name: 'x'.repeat(101) })
  assert.equal(await refused({ scopes: [] }), 'Choose at least one scope.')
  for (const scopes of [['account'], ['everything'], 'read', ['__proto__'], [null]]) await refused({ scopes })
  for (const expires_in_days of [0, -1, 1.5, 3651, 1e300, 'soon']) await refused({ expires_in_days })
  for (const scope of ['provision', 'provision_groups']) assert.match(await refused({ scopes: [scope] }), /Only owners/)
  assert.equal((await make(iago, { scopes: ['provision'] })).status, 200)
  const { key } = await limited(w, hamlet)
  const changed = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  const guess = (text: string) => apiOf(w.chat, { email: hamlet.email, key: text }).get('/users/me')
  assert.equal((await guess(changed)).msg, 'Malformed API key')
  assert.equal((await guess(key.slice(4))).msg, 'Malformed API key')
  assert.equal((await apiOf(w.chat, { email: iago.email, key }).get('/users/me')).msg, 'Invalid API key')
})

test('a caller in the same process with a limited key has the same limits', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { key } = await limited(w, hamlet)
  const caller = await actAs(w.chat, { api_key: key })
  assert.ok((await getMessages(caller, { anchor: 'newest', num_before: 1, num_after: 0 })).messages)
  const sending = sendMessage(caller, { type: 'stream', to: 'general', topic: 'x', content: 'x' })
  await assert.rejects(sending, { code: 'INSUFFICIENT_SCOPE' })
  const inside = caller.write((tx) => sendMessage(tx, { type: 'stream', to: 'general', topic: 'x', content: 'x' }))
  await assert.rejects(inside, { code: 'INSUFFICIENT_SCOPE' })
})

test('a caller in the same process can limit a key further', async () => {
  await using w = await world()
  const key = await w.hamlet.write((tx) => issueKey(tx, w.hamlet.id))
  const caller = await actAs(w.chat, { api_key: key }, { grant: { scopes: ['read'] } })
  const sending = sendMessage(caller, { type: 'stream', to: 'general', topic: 'x', content: 'x' })
  await assert.rejects(sending, { code: 'INSUFFICIENT_SCOPE' })
})

test('a plain poll with a limited key is answered as with any other', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const reader = await limited(w, hamlet)
  const sender = await limited(w, hamlet, { scopes: ['send'] })
  const { queue_id } = await reader.api.post('/register', { event_types: ['message'] })
  assert.equal((await sender.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })).status, 403)
  await hamlet.says('news')
  const { events } = await reader.api.get('/events', { queue_id, last_event_id: -1 })
  assert.equal(events.length, 1)
})

test('a limited key never sees the tokens of outgoing webhooks, in the state and in events', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const names = { full_name: 'Out', short_name: 'out', bot_type: 3, payload_url: '"https://example.com"' }
  const { user_id } = await hamlet.api.post('/bots', names)
  const { api } = await limited(w, hamlet, { scopes: ['read'] })
  const shown = ({ realm_bots }: Answer): string => realm_bots[0].services[0].token
  const given = { event_types: ['realm_bot'] }
  const state = await api.post('/register', given)
  assert.equal(shown(state), '')
  const own = await hamlet.api.post('/register', given)
  assert.match(shown(own), /^\w{32}$/)
  const change = { service_payload_url: '"https://example.com/new"', service_interface: 1 }
  assert.equal((await hamlet.api.patch(`/bots/${user_id}`, change)).status, 200)
  const poll = async (by: Person['api'], { queue_id }: Answer) =>
    JSON.stringify((await by.get('/events', { queue_id, last_event_id: -1, dont_block: true })).events)
  const token = /"token":"(\w*)"/
  assert.deepEqual([token.exec(await poll(api, state))?.[1], token.exec(await poll(api, own))?.[1]], ['', ''])
  assert.match(token.exec(await poll(hamlet.api, own))![1]!, /^\w{32}$/)
})
