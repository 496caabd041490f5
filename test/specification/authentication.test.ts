import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { createApp } from '../../src/http/index.ts'
import { apiOf, world } from '../../src/testing/index.ts'

// Specification, Authentication: a test for each statement; and Events 1.

test('every endpoint accepts HTTP Basic authentication with email address and API key', async () => {
  await using w = await world()
  const { hamlet } = w.people
  assert.equal((await apiOf(w.chat, hamlet).get('/users/me')).email, hamlet.email)
  const loud = { email: hamlet.email.toUpperCase(), key: hamlet.key }
  assert.equal((await apiOf(w.chat, loud).get('/users/me')).status, 200)
})

test("a bot's user name is its email address", async () => {
  await using w = await world({ people: { robot: { bot: true } } })
  const robot = w.person('robot')
  assert.equal((await robot.api.get('/users/me')).user_id, robot.id)
})

test('rejects missing and wrong credentials with 401 whatever the cause', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const app = createApp({ chat: w.chat, rateLimit: false })
  const header = (email: string, key: string) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  const wrong = [
    undefined,
    'Basic',
    'Basic !!!',
    `Bearer ${hamlet.key}`,
    header(hamlet.email, 'x'.repeat(32)),
    header(hamlet.email, `${hamlet.key.slice(0, -1)}${hamlet.key.endsWith('a') ? 'b' : 'a'}`),
    header(hamlet.email, cordelia.key),
    header('nobody@example.com', hamlet.key),
    header(hamlet.email, ''),
  ]
  for (const authorization of wrong) {
    const response = await app.fetch(
      new Request('http://localhost/api/v1/users/me', { headers: authorization ? { authorization } : {} }),
    )
    assert.equal(response.status, 401, authorization)
    assert.match(response.headers.get('www-authenticate') ?? '', /^Basic/)
    const { result, code } = (await response.json()) as { result: string; code: string }
    assert.equal(result, 'error')
    assert.match(code, /^(UNAUTHORIZED|INVALID_API_KEY)$/)
  }
})

test('a password yields an API key, and several keys work side by side', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const login = (username: string, password: string) => apiOf(w.chat).post('/fetch_api_key', { username, password })
  const first = await login(hamlet.email, hamlet.password)
  const second = await login('HAMLET@example.com', hamlet.password)
  assert.equal(first.user_id, hamlet.id)
  assert.notEqual(first.api_key, second.api_key)
  for (const { api_key: key } of [first, second, { api_key: hamlet.key }]) {
    assert.equal((await apiOf(w.chat, { email: hamlet.email, key }).get('/users/me')).status, 200)
  }
  const refused = {
    status: 401,
    result: 'error',
    code: 'AUTHENTICATION_FAILED',
    msg: 'Your username or password is incorrect',
  }
  assert.deepEqual(await login(hamlet.email, 'wrong'), refused)
  assert.deepEqual(await login('nobody@example.com', 'wrong'), refused)
})

test('stores API keys as digests only', async () => {
  await using w = await world()
  const keys = Object.values(w.people).map((person) => person.key)
  const stored = JSON.stringify(await storeOf(w.chat).db.selectFrom('api_key').selectAll().execute())
  assert.ok(stored.length > 100, 'premise: there are keys')
  for (const key of keys) assert.ok(!stored.includes(key))
})

test("Upload custom emoji is available according to the organization's configuration", async () => {
  await using w = await world()
  const { onePixelPng } = await import('../fixtures/images.ts')
  const { hamlet, polonius } = w.people
  assert.equal((await hamlet.api.upload('/realm/emoji/green tick', onePixelPng())).status, 200)
  const guest = await polonius.api.upload('/realm/emoji/red tick', onePixelPng())
  assert.deepEqual([guest.status, guest.code], [400, 'BAD_REQUEST'])
  const { putSetting } = await import('../../src/core/settings/organization.ts')
  await w.people.iago.write((tx) => putSetting(tx, 'can_add_custom_emoji_group', 'role:administrators'))
  assert.equal((await hamlet.api.upload('/realm/emoji/blue tick', onePixelPng())).code, 'BAD_REQUEST')
  assert.equal((await w.people.iago.api.upload('/realm/emoji/blue tick', onePixelPng())).status, 200)
})

test('Events | only the sending queue gets local_id', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const queue = async (person: typeof iago) =>
    (await person.api.post('/register', { event_types: ['message'] })) as unknown as {
      queue_id: string
      last_event_id: number
    }
  const [mine, otherDevice, theirs] = [await queue(iago), await queue(iago), await queue(hamlet)]
  const message = { type: 'stream', to: 'general', topic: 't', content: 'x', queue_id: mine.queue_id, local_id: '7.1' }
  const { id } = await iago.api.post('/messages', message)
  const event = async (person: typeof iago, { queue_id, last_event_id }: typeof mine) =>
    (await person.api.get('/events', { queue_id, last_event_id, dont_block: true })).events[0]
  const own = await event(iago, mine)
  assert.deepEqual([own.local_id, own.local_message_id, own.message.id], ['7.1', '7.1', id])
  for (const [person, other] of [
    [iago, otherDevice],
    [hamlet, theirs],
  ] as const) {
    const received = await event(person, other)
    assert.equal(received.message.id, id)
    assert.ok(!('local_id' in received) && !('local_message_id' in received))
  }
})

test('a repeated send with the same queue and local id returns the first id and stores nothing', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { queue_id } = await iago.api.post('/register', { event_types: ['message'] })
  const message = { type: 'private', to: [hamlet.id], content: 'once', queue_id, local_id: '1' }
  const sent = await Promise.all([1, 2, 3].map(() => iago.api.post('/messages', message)))
  assert.equal(new Set(sent.map((answer) => answer.id)).size, 1)
  const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  assert.equal(messages.filter((m: { content: string }) => m.content.includes('once')).length, 1)
})

test('the same queue and local id with another text, topic or recipient is another message', async () => {
  await using w = await world({ streams: { verona: { members: ['iago'] } } })
  const { iago, hamlet, cordelia } = w.people
  const { queue_id } = await iago.api.post('/register', { event_types: ['message'] })
  const first = { type: 'stream', to: 'general', topic: 'x', content: 'one', queue_id, local_id: '1' }
  const variants = [
    first,
    { ...first, content: 'two' },
    { ...first, topic: 'y' },
    { ...first, to: 'verona' },
    { ...first, type: 'private', to: [hamlet.id], topic: undefined },
    { ...first, type: 'private', to: [cordelia.id], topic: undefined },
    { ...first, deliver_at: '2030-01-01' },
  ]
  const send = async () => {
    const ids: number[] = []
    for (const message of variants) ids.push((await iago.api.post('/messages', message)).id)
    return ids
  }
  const ids = await send()
  assert.equal(new Set(ids.slice(0, 6)).size, 6)
  assert.deepEqual(await send(), ids, 'and each of them is sent once')
  const { scheduled_messages } = await iago.api.post('/register', { fetch_event_types: ['scheduled_messages'] })
  assert.equal(scheduled_messages.length, 1)
})
