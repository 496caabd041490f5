import assert from 'node:assert/strict'
import { join } from 'node:path'
import test, { mock } from 'node:test'
import { actAs, getMessages, openChat, updateUser } from '../../src/index.ts'
import { testServer, world } from '../../src/testing/index.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

test('listed people are members of the world with typed names', async () => {
  await using w = await world({ people: ['ann', 'bob'], streams: { verona: { members: ['ann', 'hamlet'] } } })
  await w.ann.says('hello', { stream: 'verona' })
  assert.equal(w.people.bob, w.bob)
  assert.equal(w.hamlet.email, 'hamlet@example.com')
  // @ts-expect-error nobody has this name
  assert.equal(w.carol, undefined)
  assert.throws(() => w.person('carol'), /nobody in this world is called carol/)
  // @ts-expect-error a member that nobody has the name of
  await assert.rejects(world({ people: ['ann'], streams: { verona: { members: ['carol'] } } }), /is called carol/)
})

test('a person named like a property of the world appears only in people', async () => {
  await using w = await world({ people: { clock: { role: 'moderator' } } })
  assert.equal(w.people.clock.user.full_name, 'clock')
  assert.equal(typeof w.clock.advance, 'function')
})

test('seeds topics, messages, reactions and groups', async () => {
  await using w = await world({
    people: ['ann', 'bob'],
    streams: { verona: { members: ['ann', 'bob'], topics: { plans: 3, food: ['Soup?', 'Salad.'] } } },
    groups: { cooks: ['ann', 'bob'], everybody: { members: ['hamlet'], subgroups: ['cooks'], description: 'All' } },
    messages: [
      { from: 'ann', stream: 'verona', topic: 'food', content: 'Bread!', reactions: { tada: ['bob'], heart: ['ann'] } },
      { from: 'bob', to: ['ann', 'hamlet'], content: 'Between us' },
      { from: 'cordelia', content: 'In general' },
    ],
  })
  const { messages } = await w.ann.api.get('/messages', {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    narrow: [{ operator: 'stream', operand: 'verona' }],
    apply_markdown: false,
  })
  const said = messages.filter((one: { sender_full_name: string }) => /^(ann|bob)$/.test(one.sender_full_name))
  assert.deepEqual(
    said.map((one: Record<string, unknown>) => [one.sender_full_name, one.subject, one.content]),
    [
      ['ann', 'plans', 'plans 1'],
      ['bob', 'plans', 'plans 2'],
      ['ann', 'plans', 'plans 3'],
      ['ann', 'food', 'Soup?'],
      ['bob', 'food', 'Salad.'],
      ['ann', 'food', 'Bread!'],
    ],
  )
  const [bread, direct, general] = w.message_ids
  const { message } = await w.ann.api.get(`/messages/${bread}`)
  assert.deepEqual(
    message.reactions.map((one: { emoji_name: string; user_id: number }) => [one.emoji_name, one.user_id]).sort(),
    [
      ['heart', w.ann.id],
      ['tada', w.bob.id],
    ],
  )
  assert.equal((await w.hamlet.api.get(`/messages/${direct}`)).message.type, 'private')
  assert.equal((await w.ann.api.get(`/messages/${general}`)).message.display_recipient, 'general')
  const { members } = await w.ann.api.get(`/user_groups/${await w.groupId('everybody')}/members`)
  assert.deepEqual(members.sort(), [w.ann.id, w.bob.id, w.hamlet.id].sort())
})

test('a seeded bot is subscribed to general, sends messages and receives events', async () => {
  await using w = await world({ people: { echo: { bot: true } } })
  const { queue_id, last_event_id } = await w.echo.api.post('/register', { event_types: ['message'] })
  const { id } = await w.hamlet.says('hello')
  const { events } = await w.echo.api.get('/events', { queue_id, last_event_id })
  assert.deepEqual(
    events.map((event: { message: { id: number } }) => event.message.id),
    [id],
  )
  assert.ok((await w.echo.says('hello yourself')).id)
})

test('worlds from one seed are independent', async () => {
  const seed = { people: ['ann'] } as const
  await using a = await world(seed)
  await using b = await world(seed)
  assert.equal(a.ann.key, b.ann.key)
  const { id } = await a.ann.says('only here')
  await updateUser(a.iago, { user_id: a.ann.id, full_name: 'Anna' })
  assert.equal((await b.ann.api.get(`/messages/${id}`)).code, 'BAD_REQUEST')
  assert.equal((await b.ann.api.get('/users/me')).full_name, 'ann')
  // The next message has the same id in both.
  assert.equal((await b.ann.says('here')).id, id)
})

test('restoring a world resets messages, people, queues and the clock', async () => {
  await using w = await world()
  const { queue_id, last_event_id } = await w.hamlet.api.post('/register', { event_types: ['message'] })
  const before = w.clock.now()
  const snapshot = await w.snapshot()
  const waiting = w.hamlet.api.get('/events', { queue_id, last_event_id })
  for (const content of ['one', 'two']) {
    const { id } = await w.hamlet.says(content)
    assert.equal((await waiting).result, 'success')
    await updateUser(w.iago, { user_id: w.hamlet.id, full_name: `hamlet ${content}`, role: 600 })
    w.clock.advance(3600_000)
    await w.restore(snapshot)
    assert.equal(w.clock.now(), before)
    assert.equal((await w.hamlet.api.get(`/messages/${id}`)).code, 'BAD_REQUEST')
    const { full_name, role } = await w.hamlet.api.get('/users/me')
    assert.deepEqual([full_name, role], ['hamlet', 400])
    assert.deepEqual(await w.events(), [])
    // The old queue waits at its position and gets the new messages.
    const polled = w.hamlet.api.get('/events', { queue_id, last_event_id })
    const next = await w.cordelia.says('again')
    assert.equal(next.id, id)
    assert.deepEqual(
      (await polled).events.map((event: { message: { id: number } }) => event.message.id),
      [id],
    )
    await w.restore(snapshot)
  }
})

test('until finds earlier messages and waits for later ones', async () => {
  await using w = await world()
  await w.hamlet.says('to be', { people: [w.cordelia] })
  assert.equal((await w.until(({ content }) => content === 'to be')).type, 'private')
  const coming = w.until(({ content }) => content === '*later*')
  await w.hamlet.says('sooner')
  await w.hamlet.says('*later*')
  assert.equal((await coming).sender_id, w.hamlet.id)
  await assert.rejects(
    w.until(() => false, { timeout: 20 }),
    /no such message came within 20 ms/,
  )
})

test("works under a test's fake timers", async () => {
  mock.timers.enable()
  try {
    await using w = await world({ people: ['yorick'] })
    const { id } = await w.yorick.says('alas')
    assert.equal((await w.hamlet.api.get('/messages', { anchor: id, num_before: 0, num_after: 0 })).messages.length, 1)
    await w.until(({ content }) => content === 'alas')
    await using server = await testServer()
    await server.hamlet.says('to be')
    assert.equal((await server.fetch('/api/v1/server_settings')).status, 200)
    assert.equal((await fetch(`${server.url}/api/v1/server_settings`)).status, 200)
    await w.restore(await w.snapshot())
  } finally {
    mock.timers.reset()
  }
})

test('a world in a file is seeded there and can be reopened', async () => {
  using folder = new TemporaryFolder()
  const db = join(folder.path, 'chat.db')
  const secret = new Uint8Array(32).fill(1)
  const w = await world({ chat: { db, secret } })
  await w.hamlet.says('on the disk')
  assert.match(w.zuliprc('hamlet'), /^\[api\]\nemail=hamlet@example\.com\nkey=\w{32}\nsite=http:\/\/localhost\n$/)
  await w.chat.close()
  await using chat = await openChat({ db, secret })
  const hamlet = await actAs(chat, { api_key: w.hamlet.key })
  const { messages } = await getMessages(hamlet, {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  })
  assert.equal(messages[0]!.content, 'on the disk')
})
