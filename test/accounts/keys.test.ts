import assert from 'node:assert/strict'
import test from 'node:test'
import { keyUseOf } from '../../src/core/accounts/key-use.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { actAs, authenticate, endKeys, getEvents, issueKey, setPassword } from '../../src/index.ts'
import { apiOf, type Person, type World, world } from '../../src/testing/index.ts'

const signIn = async (w: World, { email, password }: Person, given = password) => {
  const answer = await apiOf(w.chat).post('/fetch_api_key', { username: email, password: given })
  return Object.assign(answer, { api: apiOf(w.chat, { email, key: answer.api_key }) })
}
const status = async (api: Person['api']) => (await api.get('/users/me')).status

test('changing your own password revokes all other keys and their queues', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const thief = await signIn(w, hamlet)
  const stolen = await thief.api.post('/register', {})
  const own = await hamlet.api.post('/register', {})
  const changed = { old_password: hamlet.password, new_password: 'another horse' }
  assert.equal((await hamlet.api.patch('/settings', changed)).status, 200)
  assert.deepEqual([await status(thief.api), await status(hamlet.api)], [401, 200])
  const ask = (queue_id: string) => hamlet.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
  assert.equal((await ask(stolen.queue_id)).code, 'BAD_EVENT_QUEUE_ID')
  assert.equal((await ask(own.queue_id)).status, 200)
  assert.equal((await signIn(w, hamlet)).code, 'AUTHENTICATION_FAILED')
  assert.equal((await signIn(w, hamlet, 'another horse')).status, 200)
})

test('a password set by someone else revokes all keys', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await iago.write((tx) => setPassword(tx, hamlet.id, 'scrypt$4$x$x'))
  assert.equal(await status(hamlet.api), 401)
  assert.equal(await status(iago.api), 200)
})

test("revoking a key cuts off its waiting polls, even on another key's queue", async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { api_key } = await signIn(w, hamlet)
  const thief = await actAs(w.chat, { api_key })
  const { queue_id, last_event_id } = await hamlet.api.post('/register', { event_types: ['message'] })
  const polling = getEvents(thief, { queue_id, last_event_id })
  await iago.write((tx) => endKeys(tx, hamlet.id, { only: [thief.key_id!] }))
  await assert.rejects(polling, { code: 'INVALID_API_KEY' })
  await iago.says('secret plans')
  const { events } = await hamlet.api.get('/events', { queue_id, last_event_id, dont_block: true })
  assert.equal(events.length, 1)
})

test('regenerating returns a new key and revokes all earlier ones', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const other = await signIn(w, hamlet)
  const { api_key: key } = await hamlet.api.post('/users/me/api_key/regenerate')
  assert.deepEqual([await status(hamlet.api), await status(other.api)], [401, 401])
  assert.equal(await status(apiOf(w.chat, { email: hamlet.email, key })), 200)
})

test('lists keys with program and last use, and revokes them individually', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const { api_key: key } = await signIn(w, hamlet)
  const list = async () => (await hamlet.api.get('/users/me/api_keys')).api_keys
  const before = await list()
  assert.deepEqual(
    before.map((one: object) => Object.keys(one).sort()),
    Array(2).fill([
      ...['channels', 'created_at', 'current', 'expires_at', 'id', 'kind', 'last_address', 'last_used_at', 'name'],
      'scopes',
    ]),
  )
  assert.deepEqual([before[0].current, before[1].current], [true, false])
  assert.equal(before[1].last_used_at, null)
  assert.ok(!JSON.stringify(before).includes(key))
  const other = apiOf(w.chat, { email: hamlet.email, key })
  w.clock.advance(5000)
  await other.get('/users/me')
  assert.equal((await list())[1].last_used_at, w.clock.now() / 1000)
  const [, { id }] = before
  assert.equal((await cordelia.api.delete(`/users/me/api_keys/${id}`)).msg, 'No such API key')
  assert.equal((await hamlet.api.delete(`/users/me/api_keys/${id}`)).status, 200)
  assert.equal(await status(other), 401)
  assert.equal((await hamlet.api.delete(`/users/me/api_keys/${id}`)).msg, 'No such API key')
  assert.equal((await list()).length, 1)
})

test('names a key after the program that requested it', async () => {
  await using w = await world()
  const { hamlet } = w.people
  await hamlet.write((tx) => issueKey(tx, hamlet.id, `${'x'.repeat(150)}`))
  const params = { username: hamlet.email, password: hamlet.password, client: 'ZulipMobile' }
  await apiOf(w.chat).post('/fetch_api_key', params)
  const { api_keys } = await hamlet.api.get('/users/me/api_keys')
  assert.deepEqual(
    api_keys.map((key: { name: string }) => key.name),
    ['test', 'x'.repeat(100), 'ZulipMobile'],
  )
})

test("records a key's last use at most once a minute, outside the request", async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const stored = async () => {
    const rows = await hamlet.db.selectFrom('api_key').select('last_used_at').where('user_id', '=', hamlet.id).execute()
    return rows[0]!.last_used_at
  }
  const start = w.clock.now() / 1000
  for (let i = 0; i < 3; i++) await hamlet.api.get('/users/me')
  assert.equal(await stored(), null)
  w.clock.advance(59_000)
  await hamlet.api.get('/users/me')
  assert.equal(await stored(), null)
  w.clock.advance(1000)
  await iago.write(async () => {})
  assert.equal(await stored(), start + 59)
  await hamlet.api.get('/users/me')
  w.clock.advance(59_000)
  await iago.write(async () => {})
  assert.equal(await stored(), start + 59)
  await keyUseOf(w.chat).flush()
  assert.equal(await stored(), start + 60)
})

test("reveals a deactivation only to clients with the account's key or password", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await iago.api.delete(`/users/${hamlet.id}`)
  const detail = { status: 401, result: 'error', code: 'USER_DEACTIVATED', msg: 'Account is deactivated' }
  assert.deepEqual(await hamlet.api.get('/users/me'), detail)
  const { api: _, ...signedIn } = await signIn(w, hamlet)
  assert.deepEqual(signedIn, detail)
  assert.equal((await signIn(w, hamlet, 'wrong horse')).code, 'AUTHENTICATION_FAILED')
  const guess = apiOf(w.chat, { email: hamlet.email, key: 'x'.repeat(32) })
  assert.equal((await guess.get('/users/me')).code, 'INVALID_API_KEY')
  const mixed = apiOf(w.chat, { email: iago.email, key: hamlet.key })
  assert.equal((await mixed.get('/users/me')).code, 'INVALID_API_KEY')
})

test('a reactivation starts without earlier keys, and the password signs in again', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { user_id: bot_id, api_key } = await cordelia.api.post('/bots', { full_name: 'Builds', short_name: 'builds' })
  const { email } = (await iago.api.get(`/users/${bot_id}`)).user
  const bot = apiOf(w.chat, { email, key: api_key })
  assert.equal(await status(bot), 200)
  await hamlet.api.post('/users/me/android_gcm_reg_id', { token: 'telephone' })
  await hamlet.api.post('/register_client_device')
  for (const { id } of [hamlet, cordelia]) await iago.api.delete(`/users/${id}`)
  for (const table of ['push_token', 'device'] as const)
    assert.deepEqual(await storeOf(w.chat).db.selectFrom(table).select('id').execute(), [], table)
  for (const id of [hamlet.id, cordelia.id, bot_id]) await iago.api.post(`/users/${id}/reactivate`)
  assert.deepEqual([await status(hamlet.api), await status(cordelia.api), await status(bot)], [401, 401, 401])
  const again = await signIn(w, hamlet)
  assert.deepEqual([await status(again.api), await status(hamlet.api)], [200, 401])
})

test('authenticate returns a promise, also for credentials that are in memory', async () => {
  await using w = await world()
  const { hamlet } = w.people
  for (let i = 0; i < 2; i++) {
    const id = await authenticate(w.chat, hamlet.email, hamlet.key).then((signedIn) => signedIn?.user.id)
    assert.equal(id, hamlet.id)
  }
})
