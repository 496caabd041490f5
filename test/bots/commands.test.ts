import assert from 'node:assert/strict'
import test from 'node:test'
import { commandIn } from '../../src/core/bots/profiles/commands.ts'
import { outgoingOf } from '../../src/core/messages/send/message-workers.ts'
import type { PostRequest } from '../../src/network/post.ts'
import { type Api, apiOf, type World, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'

const COMMANDS = '/bot_commands'
const deploy = { name: 'deploy', description: 'Deploys a branch.', usage: '<environment>' }

/** A bot of Hamlet's, and the API in its name. */
async function addBot(w: World, name = 'yorick', more: object = {}): Promise<{ id: number; api: Api }> {
  const { hamlet } = w.people
  const { user_id, api_key } = await hamlet.api.post('/bots', { full_name: name, short_name: name, ...more })
  const { email } = (await hamlet.api.get(`/users/${user_id}`)).user
  return { id: user_id, api: apiOf(w.chat, { email, key: api_key }) }
}

const listOf = async ({ people }: World) => (await people.polonius.api.get(COMMANDS)).bot_commands
const namesOf = async (w: World): Promise<string[]> => (await listOf(w)).map(({ name }: { name: string }) => name)

/** A queue with the commands that a bot receives; each call returns the new ones. */
async function callsOf({ api }: { api: Api }) {
  const { queue_id, last_event_id } = await api.post('/register', { event_types: ['bot_command'] })
  let last = last_event_id
  return async () => {
    const { events } = await api.get('/events', { queue_id, last_event_id: last, dont_block: true })
    last = events.at(-1)?.id ?? last
    return events.map(({ id: _, type: __, ...call }: { id: number; type: string }) => call)
  }
}

test('lists commands by name in register and events, for everyone with an account', async () => {
  await using w = await world()
  const { hamlet, polonius } = w.people
  const bot = await addBot(w)
  await w.events()
  const { id } = await hamlet.api.post(COMMANDS, { bot_id: bot.id, ...deploy })
  const second = await bot.api.post(COMMANDS, { name: 'bury', description: 'Buries.' })
  const one = { id, bot_id: bot.id, ...deploy }
  const two = { id: second.id, bot_id: bot.id, name: 'bury', description: 'Buries.', usage: '' }
  assert.deepEqual(await listOf(w), [two, one])
  const registered = await polonius.api.post('/register', { fetch_event_types: ['bot_commands'] })
  assert.deepEqual(registered.bot_commands, [two, one])
  const events = await w.events()
  assert.deepEqual(
    events.map((event) => 'bot_commands' in event && event.bot_commands),
    [[one], [two, one]],
  )
})

test('changes a command that the bot registers again, and says nothing if it is the same', async () => {
  await using w = await world()
  const { api } = await addBot(w)
  const { id } = await api.post(COMMANDS, deploy)
  await w.events()
  assert.equal((await api.post(COMMANDS, deploy)).id, id)
  assert.deepEqual(await w.events(), [])
  assert.equal((await api.post(COMMANDS, { ...deploy, description: 'Ships.' })).id, id)
  assert.deepEqual(
    (await listOf(w)).map(({ description, usage }: typeof deploy) => [description, usage]),
    [['Ships.', '<environment>']],
  )
})

test('two bots that register one name at the same time: one gets it, the other an error', async () => {
  await using w = await world()
  const bots = [await addBot(w, 'yorick'), await addBot(w, 'osric')]
  const answers = await Promise.all(bots.map(({ api }) => api.post(COMMANDS, deploy)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
  const lost = answers.find(({ status }) => status === 400)
  assert.equal(lost?.msg, 'The command "/deploy" belongs to another bot.')
  assert.equal((await listOf(w)).length, 1)
})

test('rejects names, texts, bots and people that do not qualify', async () => {
  await using w = await world()
  const { hamlet, cordelia, polonius, iago } = w.people
  const bot = await addBot(w)
  const hook = await addBot(w, 'hook', { bot_type: 2 })
  const gone = await addBot(w, 'gone')
  await hamlet.api.delete(`/bots/${gone.id}`)
  const refused = async (api: Api, params: object, expected: RegExp) => {
    const { status, msg } = await api.post(COMMANDS, { bot_id: bot.id, ...deploy, ...params })
    assert.equal(status >= 400 && status < 500, true, msg)
    assert.match(msg, expected)
  }
  for (const name of ['', 'Deploy', '/deploy', '1a', 'a b', 'ä', 'x'.repeat(33), 'constructor()'])
    await refused(hamlet.api, { name }, /^Invalid command name\. Use up to 32/)
  for (const name of ['poll', 'todo', 'me', 'dark']) await refused(hamlet.api, { name }, /built in/)
  await refused(hamlet.api, { description: ' ' }, /description cannot be blank/)
  await refused(hamlet.api, { description: 'x'.repeat(201) }, /description is too long \(limit: 200/)
  await refused(hamlet.api, { description: 'a\nb' }, /control characters/)
  await refused(hamlet.api, { usage: 'x'.repeat(101) }, /usage is too long/)
  await refused(hamlet.api, { bot_id: undefined }, /Missing 'bot_id' argument/)
  await refused(hamlet.api, { bot_id: cordelia.id }, /^No such bot$/)
  await refused(hamlet.api, { bot_id: hook.id }, /Incoming webhook bots can't receive commands\./)
  await refused(hamlet.api, { bot_id: gone.id }, /^This bot is deactivated\.$/)
  await refused(cordelia.api, {}, /Insufficient permission/)
  await refused(bot.api, { bot_id: hook.id }, /Insufficient permission/)
  await refused(polonius.api, {}, /guest/i)
  assert.deepEqual(await listOf(w), [])
  const { id } = await iago.api.post(COMMANDS, { bot_id: bot.id, ...deploy })
  assert.match((await cordelia.api.delete(`${COMMANDS}/${id}`)).msg, /Insufficient permission/)
  assert.equal((await hamlet.api.delete(`${COMMANDS}/${id}`)).status, 200)
  assert.equal((await hamlet.api.delete(`${COMMANDS}/${id}`)).msg, 'Invalid command')
})

test('a bot of a guest registers no commands', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const bot = await addBot(w)
  await iago.api.patch(`/users/${hamlet.id}`, { role: 600 })
  assert.match((await bot.api.post(COMMANDS, deploy)).msg, /guest/i)
})

test('a bot has at most 50 commands', async () => {
  await using w = await world()
  const { api } = await addBot(w)
  for (let i = 0; i < 50; i++) assert.equal((await api.post(COMMANDS, { ...deploy, name: `c${i}` })).status, 200)
  assert.equal((await api.post(COMMANDS, deploy)).msg, 'A bot can have at most 50 commands.')
  assert.equal((await api.post(COMMANDS, { ...deploy, name: 'c7', usage: '' })).status, 200)
})

test('removes the commands of a deactivated bot, so that its names are free', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const bot = await addBot(w)
  const other = await addBot(w, 'osric')
  await bot.api.post(COMMANDS, deploy)
  await verifyEvents([iago, cordelia], () => hamlet.api.delete(`/bots/${bot.id}`))
  assert.deepEqual(await namesOf(w), [])
  assert.equal((await other.api.post(COMMANDS, deploy)).status, 200)
})

test('splits a message into a command and its arguments', () => {
  const cases: readonly (readonly [string, string, string] | readonly [string])[] = [
    ['/deploy', 'deploy', ''],
    ['/deploy staging now', 'deploy', 'staging now'],
    ['/deploy\nline one\nline two ', 'deploy', 'line one\nline two'],
    ['/Deploy staging'],
    [' /deploy'],
    ['/deploy!'],
    ['/'],
    ['//deploy'],
  ]
  for (const [text, name, rest] of cases)
    assert.deepEqual(commandIn(text), name === undefined ? undefined : { name, arguments: rest }, text)
})

test('notifies a bot that polls of its commands, with the place for its answer', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const bot = await addBot(w)
  const { id: command_id } = await bot.api.post(COMMANDS, deploy)
  const calls = await callsOf(bot)
  const others = await callsOf(cordelia)
  const general = await w.streamId('general')
  const said = await cordelia.says('/deploy staging', { topic: 'ops' })
  const direct = await cordelia.api.post('/messages', { type: 'direct', to: [bot.id], content: '/deploy' })
  for (const text of ['/deploy2 x', 'please /deploy', '/unknown']) await cordelia.says(text)
  await cordelia.says('/deploy secretly', { people: [hamlet] })
  const [first, second, ...more] = await calls()
  const by = { command_id, name: 'deploy', sender_id: cordelia.id }
  assert.deepEqual(first, {
    ...by,
    arguments: 'staging',
    message_id: said.id,
    recipient: { type: 'channel', to: general, topic: 'ops' },
  })
  assert.deepEqual(second, {
    ...by,
    arguments: '',
    message_id: direct.id,
    recipient: { type: 'direct', to: [cordelia.id, bot.id] },
  })
  assert.deepEqual(more, [])
  assert.deepEqual(await others(), [])
  for (const { recipient } of [first, second])
    assert.equal((await bot.api.post('/messages', { ...recipient, content: 'Done.' })).status, 200)
})

test('keeps commands in private channels from bots that are not in them', async () => {
  await using w = await world({ streams: { crypt: { members: ['hamlet'], private: true } } })
  const { hamlet } = w.people
  const bot = await addBot(w)
  await bot.api.post(COMMANDS, deploy)
  const calls = await callsOf(bot)
  await hamlet.says('/deploy one', { stream: 'crypt' })
  await hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'crypt' }], principals: [bot.id] })
  await hamlet.says('/deploy two', { stream: 'crypt' })
  assert.deepEqual(
    (await calls()).map((call: { arguments: string }) => call.arguments),
    ['two'],
  )
})

test('runs no command that a bot writes', async () => {
  await using w = await world()
  const bot = await addBot(w)
  const parrot = await addBot(w, 'parrot')
  await bot.api.post(COMMANDS, deploy)
  const calls = await callsOf(bot)
  const place = { type: 'stream', to: 'general', topic: 'x' }
  await parrot.api.post('/messages', { ...place, content: '/deploy production' })
  assert.deepEqual(await calls(), [])
})

/** An outgoing webhook with the command, and the bodies it got. */
async function webhook(answer: object, more: object = {}) {
  const bodies: string[] = []
  const post = async ({ body }: PostRequest) => {
    bodies.push(String(body))
    return { status: 200, body: JSON.stringify(answer) }
  }
  const w = await world({ chat: { outgoing: { post } } })
  const bot = await addBot(w, 'yorick', { bot_type: 3, payload_url: 'https://example.com/hook', ...more })
  await bot.api.post(COMMANDS, deploy)
  const settled = () => outgoingOf(w.chat).settled()
  return { w, bot, bodies, settled }
}

const newest = async (w: World, narrow: unknown[] = []) => {
  const { messages } = await w.people.cordelia.api.get('/messages', {
    ...{ anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false },
    narrow,
  })
  return messages[0]
}

test('posts a command to an outgoing webhook that is not in the channel, once, and answers in the topic', async () => {
  const { w, bot, bodies, settled } = await webhook({ content: 'Deployed.' })
  await using _ = w
  const { cordelia } = w.people
  await cordelia.says('/deploy @**yorick** now', { topic: 'ops' })
  await settled()
  assert.equal(bodies.length, 1)
  const { trigger, command, data } = JSON.parse(bodies[0]!)
  assert.deepEqual([trigger, command], ['command', { name: 'deploy', arguments: '@**yorick** now' }])
  assert.equal(data, '/deploy @**yorick** now')
  const answer = await newest(w)
  assert.deepEqual([answer.sender_id, answer.content, answer.subject], [bot.id, 'Deployed.', 'ops'])
})

test('sends an answer for one person as a direct message to them', async () => {
  const { w, bot, settled } = await webhook({ content: 'Only you see this.', response_type: 'ephemeral' })
  await using _ = w
  const { cordelia, hamlet } = w.people
  await cordelia.says('/deploy staging', { topic: 'ops' })
  await settled()
  const answer = await newest(w)
  assert.deepEqual([answer.sender_id, answer.type, answer.content], [bot.id, 'private', 'Only you see this.'])
  assert.deepEqual(answer.display_recipient.map(({ id }: { id: number }) => id).sort(), [cordelia.id, bot.id].sort())
  const seen = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 })
  assert.ok(seen.messages.every(({ content }: { content: string }) => !content.includes('Only you')))
})

test("posts a command in Slack's format", async () => {
  const { w, bodies, settled } = await webhook({ text: 'ok' }, { interface_type: 2 })
  await using _ = w
  await w.people.cordelia.says('/deploy staging')
  await settled()
  const form = Object.fromEntries(new URLSearchParams(bodies[0]))
  assert.deepEqual([form.command, form.text, form.trigger_word], ['/deploy', 'staging', undefined])
})

test('begins a poll from widget_content, and rejects a scheduled message that has one', async () => {
  await using w = await world()
  const { cordelia } = w.people
  const poll = { widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['soup'] } }
  const message = { type: 'stream', to: 'general', topic: 'x', content: 'Lunch?', widget_content: poll }
  assert.equal((await cordelia.api.post('/messages', message)).status, 200)
  assert.deepEqual(JSON.parse((await newest(w)).submessages[0].content), poll)
  const later = await cordelia.api.post('/messages', { ...message, deliver_at: '4000000000' })
  assert.equal(later.msg, "A scheduled message can't have widget_content.")
  const wrong = await cordelia.api.post('/messages', { ...message, widget_content: { widget_type: 'poll' } })
  assert.equal(wrong.msg, 'Widgets: extra_data is invalid or missing.')
})
