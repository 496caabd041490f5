import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { replyIn } from '../../src/core/bots/outgoing/reply.ts'
import { manualClock } from '../../src/core/kernel/base/clock.ts'
import type { Chat } from '../../src/core/kernel/chat.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { outgoingOf } from '../../src/core/messages/send/message-workers.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { deactivateOrganization } from '../../src/index.ts'
import { AddressRefused, type PostAnswer, type PostRequest } from '../../src/network/post.ts'
import { world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

/** Outgoing webhooks post texts. */
type TextRequest = PostRequest & { body: string }

/** A receiver, and what it got. */
function receiver(
  answer: (request: TextRequest) => PostAnswer | Promise<PostAnswer> = () => ({ status: 200, body: '' }),
) {
  const requests: TextRequest[] = []
  const post = async (given: PostRequest) => {
    const request = given as TextRequest
    requests.push(request)
    return answer(request)
  }
  return { requests, post, bodies: () => requests.map(({ body }) => JSON.parse(body)) }
}

const settled = (chat: Chat) => outgoingOf(chat).settled()
const hook = { full_name: 'Yorick', short_name: 'yorick', bot_type: 3, payload_url: 'https://example.com/hook' }
type Receiver = ReturnType<typeof receiver>

async function withBot({ post }: Receiver, more: object = {}) {
  const w = await world({ chat: { outgoing: { post } } })
  const { user_id } = await w.people.hamlet.api.post('/bots', { ...hook, ...more })
  return { w, bot_id: user_id as number }
}
const lastOf = async (w: Awaited<ReturnType<typeof world>>) => {
  const { messages } = await w.people.hamlet.api.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  })
  return `${messages[0].sender_full_name}: ${messages[0].content}`
}

test('posts a direct message with a signature and sends the reply', async () => {
  const there = receiver(() => ({ status: 200, body: '{"content": "Alas!"}' }))
  const { w, bot_id } = await withBot(there)
  await using _ = w
  const { hamlet } = w.people
  const { id } = await hamlet.api.post('/messages', { type: 'direct', to: [bot_id], content: '*who* are you' })
  await settled(w.chat)
  const [request] = there.requests
  const { message, token, ...rest } = JSON.parse(request!.body)
  assert.deepEqual(rest, {
    bot_email: 'yorick-bot@localhost',
    bot_full_name: 'Yorick',
    data: '*who* are you',
    trigger: 'direct_message',
  })
  assert.deepEqual(
    [message.id, message.content, message.content_type, message.rendered_content],
    [id, '*who* are you', 'text/x-markdown', '<p><em>who</em> are you</p>'],
  )
  assert.equal('flags' in message, false)
  const signature = createHmac('sha256', token).update(request!.body).digest('hex')
  assert.equal(request!.headers['x-webhook-signature'], `sha256=${signature}`)
  assert.equal(request!.url, hook.payload_url)
  assert.equal(await lastOf(w), 'Yorick: Alas!')
  // Its own message is none for it.
  assert.equal(there.requests.length, 1)
})

test('posts mentions from subscribed streams, and other messages when configured', async () => {
  const there = receiver()
  const { w, bot_id } = await withBot(there)
  await using _ = w
  const { hamlet, iago } = w.people
  const say = async (content: string, topic = 'x') => {
    await iago.api.post('/messages', { type: 'stream', to: 'general', topic, content })
    await settled(w.chat)
    return there.requests.length
  }
  assert.equal(await say('@**Yorick** before it is in'), 0)
  await hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals: [bot_id] })
  assert.equal(await say('nothing'), 0)
  assert.equal(await say('@**Yorick** hello'), 1)
  const set = (config_data: object) => hamlet.api.patch(`/bots/${bot_id}`, { config_data })
  await set({ filter_stream: 'General', filter_topic: 'graves' })
  assert.equal(await say('elsewhere'), 1)
  assert.equal(await say('here', 'Graves'), 2)
  await set({ filter_stream: '', filter_topic: '', every_message: 'true' })
  assert.equal(await say('anything'), 3)
  assert.deepEqual(
    there.bodies().map(({ trigger }) => trigger),
    ['mention', 'message', 'message'],
  )
})

test("Slack's format includes the stream's name and id", async () => {
  const there = receiver()
  const { w, bot_id } = await withBot(there, { interface_type: 2 })
  await using _ = w
  const { hamlet, iago } = w.people
  await hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals: [bot_id] })
  await iago.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: '@**Yorick** here?' })
  await settled(w.chat)
  const { stream_id } = await hamlet.api.get('/get_stream_id', { stream: 'general' })
  const form = Object.fromEntries(new URLSearchParams(there.requests[0]!.body))
  assert.deepEqual([form.channel_name, form.channel_id, form.user_name], ['general', `C${stream_id}`, 'iago'])
})

const replies: readonly [body: string, said: string | undefined][] = [
  ['{"response_string": "older"}', 'older'],
  ['{"content": "new", "response_string": "older", "text": "of Slack"}', 'new'],
  ['{"content": "", "response_string": null, "text": "of Slack"}', 'of Slack'],
  ['{"content": "not wanted", "response_not_required": true}', undefined],
  ['{"other": 1}', undefined],
  ['{"content": " "}', undefined],
  ['  ', undefined],
]

test('replies with content, response_string or text, in this order, or not at all', () => {
  for (const [body, said] of replies) assert.equal(replyIn(body)?.content, said, body)
})

test('reports a reply that is not JSON or has no text as a failure with a reason', () => {
  assert.throws(() => replyIn('<html>'), /the answer is not JSON/)
  for (const body of ['"yes"', 'null', '{"content": 7}', '{"response_not_required": "yes"}']) {
    assert.throws(() => replyIn(body), /not an object with a content/, body)
  }
})

test('reports an unknown response_type, and widgets that are invalid or have no text', () => {
  assert.throws(() => replyIn('{"content": "x", "response_type": "all"}'), /response_type of the answer/)
  assert.throws(() => replyIn('{"widget_content": {}}'), /a widget_content and no content/)
  const invalid = [{ widget_type: 'map' }, { widget_type: 'poll' }, '{', 7, { widget_type: 'todo', extra_data: 7 }]
  for (const widget_content of invalid) {
    assert.throws(() => replyIn(JSON.stringify({ content: 'x', widget_content })), /^Widgets: |Widgets: /)
  }
})

test('begins a poll or a to-do list from the answer', async () => {
  const options = ['soup', 'salad']
  const widgets = [
    { widget_type: 'poll', extra_data: { question: 'Lunch?', options } },
    JSON.stringify({ widget_type: 'todo', extra_data: { task_list_title: 'Today', tasks: [{ task: 'rest' }] } }),
  ]
  const there = receiver(() => ({
    status: 200,
    body: JSON.stringify({ content: 'here', widget_content: widgets.shift() }),
  }))
  const { w, bot_id } = await withBot(there)
  await using _ = w
  const { hamlet } = w.people
  const begun = async () => {
    await hamlet.api.post('/messages', { type: 'direct', to: [bot_id], content: 'please' })
    await settled(w.chat)
    const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    const [{ id, sender_id, submessages }] = messages
    assert.equal(sender_id, bot_id)
    return { id, widget: JSON.parse(submessages[0].content) }
  }
  const poll = await begun()
  assert.deepEqual(poll.widget, { widget_type: 'poll', extra_data: { question: 'Lunch?', options } })
  const vote = { type: 'vote', key: 'canned,1', vote: 1 }
  await hamlet.api.post('/submessage', { message_id: poll.id, msg_type: 'widget', content: JSON.stringify(vote) })
  const todo = await begun()
  assert.deepEqual(todo.widget, {
    widget_type: 'todo',
    extra_data: { task_list_title: 'Today', tasks: [{ task: 'rest', desc: '' }] },
  })
})

test("sends Slack's format as a form and reads text from the reply", async () => {
  const there = receiver(() => ({ status: 200, body: '{"text": "yes"}' }))
  const { w, bot_id } = await withBot(there, { interface_type: 2 })
  await using _ = w
  await w.people.hamlet.api.post('/messages', { type: 'direct', to: [bot_id], content: 'there?' })
  await settled(w.chat)
  const form = Object.fromEntries(new URLSearchParams(there.requests[0]!.body))
  assert.deepEqual(
    [form.user_name, form.text, form.channel_name, form.service_id, form.trigger_word],
    ['hamlet', 'there?', 'directmessage', String(bot_id), '@**Yorick**'],
  )
  assert.equal(await lastOf(w), 'Yorick: yes')
})

test('retries failures after a delay and lists those it gives up, except retries that succeed', async () => {
  let status = 503
  const there = receiver(() => ({ status, body: '' }))
  const { w, bot_id } = await withBot(there)
  await using _ = w
  const { hamlet } = w.people
  const failures = async () => (await hamlet.api.get(`/bots/${bot_id}/failures`)).failures
  await hamlet.api.post('/messages', { type: 'direct', to: [bot_id], content: 'one' })
  await settled(w.chat)
  const [first] = await failures()
  assert.deepEqual([first.failure, first.attempts, first.given_up], ['the receiver answered with status 503', 1, false])
  for (const seconds of [4, 1, 30, 120, 600]) {
    w.clock.advance(seconds * 1000)
    await settled(w.chat)
  }
  assert.deepEqual([there.requests.length, (await failures())[0].given_up], [5, false])
  w.clock.advance(3_600_000)
  await settled(w.chat)
  assert.deepEqual([there.requests.length, (await failures())[0].given_up], [6, true])
  w.clock.advance(7_200_000)
  await settled(w.chat)
  assert.equal(there.requests.length, 6)
  await hamlet.api.post('/messages', { type: 'direct', to: [bot_id], content: 'two' })
  await settled(w.chat)
  status = 200
  w.clock.advance(5000)
  await settled(w.chat)
  assert.equal((await failures()).length, 1)
})

test('gives up immediately when no retry can help, and says why', async () => {
  const answers: (() => PostAnswer)[] = [
    () => ({ status: 404, body: '' }),
    () => ({ status: 302, body: '' }),
    () => ({ status: 200, body: 'ok' }),
    () => ({ status: 200, body: JSON.stringify({ content: 'x'.repeat(10_001) }) }),
    () => {
      throw new AddressRefused('localhost is not on the public Internet')
    },
  ]
  const there = receiver(() => answers[there.requests.length - 1]!())
  const { w, bot_id } = await withBot(there)
  await using _ = w
  for (const content of ['1', '2', '3', '4', '5']) {
    await w.people.hamlet.api.post('/messages', { type: 'direct', to: [bot_id], content })
    await settled(w.chat)
  }
  const { failures } = await w.people.hamlet.api.get(`/bots/${bot_id}/failures`)
  const { messages } = await w.people.hamlet.api.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0 })
  const notices = messages.filter(({ content }: { content: string }) =>
    content.includes('the server gave up: the receiver answered with status 404'),
  )
  assert.equal(notices.length, 1)
  assert.ok(failures.every((one: { given_up: boolean }) => one.given_up))
  assert.deepEqual(
    failures.map((one: { failure: string }) => one.failure),
    [
      'localhost is not on the public Internet',
      'Message is too long: 10001 bytes, at most 10000',
      'the answer is not JSON',
      'the receiver answered with a redirect (302), and none is followed',
      'the receiver answered with status 404',
    ],
  )
  assert.equal((await w.people.cordelia.api.get(`/bots/${bot_id}/failures`)).msg, 'Insufficient permission')
})

test('a receiver that hangs delays neither other receivers nor senders', async () => {
  const there = receiver(({ body }) =>
    body.includes('"hang"') ? new Promise<never>(() => {}) : { status: 200, body: '' },
  )
  const { w, bot_id } = await withBot(there)
  await using _ = w
  const { hamlet } = w.people
  const other = await hamlet.api.post('/bots', { ...hook, full_name: 'Other', short_name: 'other' })
  const send = (to: number, content: string) => hamlet.api.post('/messages', { type: 'direct', to: [to], content })
  await send(bot_id, 'hang')
  await send(bot_id, 'behind it')
  await send(other.user_id, 'free')
  await eventually('two requests', () => there.requests.length >= 2)
  // Requests to different receivers come in any order.
  const posted = there.bodies().map(({ data }) => data)
  assert.deepEqual(posted.sort(), ['free', 'hang'])
})

test('delivers pending posts exactly once after a restart', async () => {
  using folder = new TemporaryFolder()
  const db = join(folder.path, 'chat.db')
  const down = receiver(() => ({ status: 500, body: '' }))
  const w = await world({ chat: { db, outgoing: { post: down.post } } })
  const { user_id } = await w.people.hamlet.api.post('/bots', hook)
  await w.people.hamlet.api.post('/messages', { type: 'direct', to: [user_id], content: 'remember me' })
  await settled(w.chat)
  await w.chat.close()
  assert.equal(down.requests.length, 1)
  const up = receiver()
  const clock = manualClock()
  clock.advance(60_000)
  await using chat = await openChat({ db, clock, outgoing: { post: up.post } })
  await settled(chat)
  await settled(chat)
  assert.deepEqual(
    up.bodies().map(({ data }) => data),
    ['remember me'],
  )
})

test('a bot gets no messages from before its creation or from while it was deactivated', async () => {
  const there = receiver()
  const { w, bot_id } = await withBot(there)
  await using _ = w
  const { hamlet, iago } = w.people
  const { user_id } = await hamlet.api.post('/bots', { ...hook, full_name: 'Ben', short_name: 'b', bot_type: 1 })
  assert.equal(there.requests.length, 0)
  await hamlet.api.delete(`/bots/${bot_id}`)
  await hamlet.says('to nobody')
  await iago.api.post(`/users/${bot_id}/reactivate`)
  await hamlet.api.post('/messages', { type: 'direct', to: [bot_id], content: 'back' })
  await settled(w.chat)
  assert.deepEqual(
    there.bodies().map(({ data }) => data),
    ['back'],
  )
  assert.equal((await hamlet.api.get(`/bots/${user_id}/failures`)).failures.length, 0)
})

/** What the server has written to the bot's owner. */
async function noticesOf(w: Awaited<ReturnType<typeof world>>): Promise<string[]> {
  const { messages } = await w.people.hamlet.api.get('/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'is', operand: 'dm' }],
  })
  const sent = messages as { content: string; sender_full_name: string }[]
  return sent.filter((one) => one.sender_full_name === 'Notification Bot').map((one) => one.content)
}

/** A receiver that posts whatever it gets back through an incoming webhook, as a wrong setting of an automation does. */
async function echoing(config_data: object) {
  let echo = async (_text: string) => {}
  const there = receiver(async (request) => {
    await echo(JSON.parse(request.body).data)
    return { status: 200, body: '' }
  })
  const { w, bot_id } = await withBot(there)
  const { hamlet } = w.people
  const incoming = await hamlet.api.post('/bots', { full_name: 'In', short_name: 'in', bot_type: 2 })
  await hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals: [bot_id] })
  await hamlet.api.patch(`/bots/${bot_id}`, { config_data: { every_message: 'true', ...config_data } })
  const hook = `/external/slack_incoming?api_key=${incoming.api_key}&stream=general&topic=x`
  echo = async (text) => void (await hamlet.api.post(hook, { payload: { text } }))
  const say = async (content: string) => {
    await hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content })
    await settled(w.chat)
  }
  const notices = () => noticesOf(w)
  return { w, there, say, notices }
}

test("doesn't post messages of bots, so that no receiver can start a loop", async () => {
  const { w, there, say, notices } = await echoing({})
  await using _ = w
  await say('one')
  assert.equal(there.requests.length, 1)
  assert.deepEqual(await notices(), [])
})

test('ends a loop of a webhook that receives messages of bots, and notifies its owner once', async () => {
  const { w, there, say, notices } = await echoing({ bot_messages: 'true' })
  await using _ = w
  await say('one')
  // The person's message, and ten of the incoming webhook.
  assert.equal(there.requests.length, 11)
  await say('two')
  assert.equal(there.requests.length, 22)
  const notified = await notices()
  assert.equal(notified.length, 1)
  assert.match(notified[0]!, /^@_\*\*Yorick\|\d+\*\* was in a loop: bots posted more than 10 messages in a row\./)
})

test('keeps at most 1,000 messages waiting for a receiver that is down, and notifies the owner', async () => {
  const there = receiver(() => ({ status: 503, body: '' }))
  const { w, bot_id } = await withBot(there)
  await using _ = w
  const { hamlet } = w.people
  const direct = { type: 'direct', to: [bot_id], content: 'are you there' }
  await hamlet.api.post('/messages', direct)
  await settled(w.chat)
  const waiting = {
    bot_id,
    trigger: 'message',
    attempts: 1,
    next_at: 4_000_000_000,
    failed: 0 as const,
    failure: 'x',
    created_at: 1,
  }
  await storeOf(w.chat).write(({ db }) =>
    db
      .insertInto('outgoing_delivery')
      .values(Array.from({ length: 998 }, (_, i) => ({ ...waiting, message_id: 1_000_000 + i })))
      .execute(),
  )
  for (let i = 0; i < 3; i++) {
    await hamlet.api.post('/messages', direct)
    await settled(w.chat)
  }
  const { count } = await storeOf(w.chat)
    .db.selectFrom('outgoing_delivery')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), 1000)
  const notified = await noticesOf(w)
  assert.equal(notified.length, 1)
  assert.match(notified[0]!, /^1000 messages are waiting for @_\*\*Yorick\|/)
})

test("two outgoing webhooks don't answer each other forever, even if they may", async () => {
  const there = receiver(() => ({ status: 200, body: '{"content": "@**Yorick** @**Other**"}' }))
  const { w, bot_id } = await withBot(there)
  await using _ = w
  const { hamlet } = w.people
  const other = await hamlet.api.post('/bots', { ...hook, full_name: 'Other', short_name: 'other' })
  const say = async () => {
    await hamlet.api.post('/messages', { type: 'direct', to: [bot_id, other.user_id], content: 'hello' })
    await settled(w.chat)
    return there.requests.length
  }
  assert.equal(await say(), 2)
  for (const id of [bot_id, other.user_id])
    await hamlet.api.patch(`/bots/${id}`, { config_data: { bot_messages: 'true' } })
  const posts = (await say()) - 2
  assert.ok(posts > 2 && posts <= 12, `${posts} posts`)
})

test('holds posts while the organization is deactivated and delivers them afterwards', async () => {
  let answer: PostAnswer = { status: 500, body: '' }
  const there = receiver(() => answer)
  const { w, bot_id } = await withBot(there)
  await using _ = w
  const { iago, hamlet } = w.people
  await hamlet.api.post('/messages', { type: 'direct', to: [bot_id], content: 'alas' })
  await settled(w.chat)
  assert.equal(there.requests.length, 1)
  await deactivateOrganization(iago, {})
  answer = { status: 200, body: '' }
  w.clock.advance(7200_000)
  await settled(w.chat)
  assert.equal(there.requests.length, 1)
  await runCommand(w.chat, 'reactivateOrg', {}, () => {})
  await settled(w.chat)
  assert.equal(there.requests.length, 2)
})
