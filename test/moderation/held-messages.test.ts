import assert from 'node:assert/strict'
import test from 'node:test'
import { sweep } from '../../src/core/events/queues/sweep.ts'
import { sweepFiles } from '../../src/core/files/sweep.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type Person, world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { listen } from '../messages/listen.ts'

const DAY = 86_400_000

/** iago is the owner, cordelia a moderator; ann and ben are new. */
async function scene(settings: Record<string, unknown> = { hold_first_messages: 2 }) {
  const w = await world({ people: ['ann', 'ben'], streams: { den: { private: true, members: ['ann', 'ben'] } } })
  await w.iago.api.patch(`/users/${w.cordelia.id}`, { role: 300 })
  assert.equal((await w.iago.api.patch('/realm', settings)).msg, '')
  const queue = async (by: Person = w.cordelia) => (await by.api.get('/held_messages')).held_messages
  const decide = (id: number, decision: string, by: Person = w.cordelia, more: object = {}) =>
    by.api.patch(`/held_messages/${id}`, { decision, ...more })
  return { w, queue, decide }
}

const send = (who: Pick<Person, 'api'>, content: string, more: object = {}) =>
  who.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content, ...more })

/** Holds a message, and returns its ID. */
async function held(who: Pick<Person, 'api'>, content: string, more: object = {}): Promise<number> {
  const answer = await send(who, content, more)
  assert.deepEqual(
    [answer.status, answer.code, answer.msg],
    [400, 'MESSAGE_HELD', 'A moderator will review your message.'],
  )
  return answer.held_message_id
}

const newest = async (who: Person, count = 1) =>
  (await who.api.get('/messages', { anchor: 'newest', num_before: count, num_after: 0, apply_markdown: false }))
    .messages

/** What cordelia, ben and others could find of a text. */
async function traces(w: Awaited<ReturnType<typeof scene>>['w'], text: string): Promise<string[]> {
  const found: string[] = []
  for (const who of [w.ben, w.cordelia, w.iago]) {
    const narrow = [{ operator: 'search', operand: text }]
    const { messages } = await who.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow })
    if (messages.length > 0) found.push('search')
    if (JSON.stringify(await who.api.post('/register')).includes(text)) found.push('register')
  }
  const topics = await w.ben.api.get(`/users/me/${await w.streamId('general')}/topics`)
  if (JSON.stringify(topics).includes(text)) found.push('topics')
  return found
}

test('holds the first messages of a new account, and sends them with the time of the approval', async () => {
  const { w, queue, decide } = await scene()
  await using _ = w.chat
  const { ann, ben, cordelia } = w
  const events = await Promise.all([ann, cordelia, ben].map((who) => listen(who, ['held_message', 'message'])))
  const first = await held(ann, 'precious **words**', { topic: 'precious plans' })
  const direct = await held(ann, 'secret', { type: 'direct', to: [ben.id] })
  assert.deepEqual(await traces(w, 'precious'), [])
  const general = await w.streamId('general')
  assert.deepEqual(
    (await queue()).map(({ id, user_id, place, content, reason, matched }: Record<string, unknown>) => [
      ...[id, user_id, place, content, reason, matched],
    ]),
    [
      [first, ann.id, { stream_id: general, topic: 'precious plans' }, 'precious **words**', 'new_account', ''],
      [direct, ann.id, { user_ids: [ann.id, ben.id] }, 'secret', 'new_account', ''],
    ],
  )
  const own = (await ann.api.get('/users/me/held_messages')).held_messages
  assert.deepEqual(
    own.map(({ id }: { id: number }) => id),
    [first, direct],
  )
  w.clock.advance(60_000)
  const { message_id } = await decide(first, 'approve')
  const [message] = await newest(ben)
  assert.deepEqual(
    [message.id, message.content, message.subject, message.sender_id, message.timestamp],
    [message_id, 'precious **words**', 'precious plans', ann.id, Math.floor(w.clock.now() / 1000)],
  )
  assert.equal((await decide(direct, 'approve')).result, 'success')
  assert.deepEqual(await queue(), [])
  // Two of them were read by others.
  assert.equal((await send(ann, 'third')).result, 'success')
  const seen = []
  for (const received of events) {
    const all = await received()
    seen.push(all.map(({ type, state, held_message_id }) => (type === 'message' ? type : [held_message_id, state])))
  }
  const changes = [
    [first, 'waiting'],
    [direct, 'waiting'],
  ]
  assert.deepEqual(seen[0], [...changes, 'message', [first, 'approved'], 'message', [direct, 'approved'], 'message'])
  assert.deepEqual(seen[1], [...changes, 'message', [first, 'approved'], [direct, 'approved'], 'message'])
  assert.deepEqual(seen[2], ['message', 'message', 'message'])
})

test('counts messages to oneself and to bots for nothing, and lets them through', async () => {
  const { w } = await scene()
  await using _ = w.chat
  for (let i = 0; i < 3; i++)
    assert.equal((await w.ann.api.post('/messages', { type: 'direct', to: [w.ann.id], content: 'note' })).msg, '')
  await held(w.ann, 'first')
})

test('holds everything of young accounts, and of their bots, until the days have passed', async () => {
  const { w, queue, decide } = await scene({ hold_new_accounts_days: 3 })
  await using _ = w.chat
  const made = await w.ann.api.post('/bots', { full_name: 'Echo', short_name: 'echo' })
  const { email } = (await w.ann.api.get(`/users/${made.user_id}`)).user
  const bot = apiOf(w.chat, { email, key: made.api_key })
  await held({ api: bot }, 'from the bot')
  for (const text of ['one', 'two', 'three']) await decide(await held(w.ann, text), 'approve')
  assert.equal((await queue()).length, 1)
  assert.equal((await send(w.cordelia, 'moderators are free')).result, 'success')
  w.clock.advance(3 * DAY)
  assert.equal((await send(w.ann, 'four')).result, 'success')
  assert.equal((await send({ api: bot }, 'two')).result, 'success')
})

test('lets an author through whom a moderator trusts, also after a restart', async () => {
  const { w, queue, decide } = await scene({ hold_first_messages: 100, hold_new_accounts_days: 100 })
  await using _ = w.chat
  const [first, second] = [await held(w.ann, 'one'), await held(w.ann, 'two')]
  assert.equal((await decide(first, 'trust')).result, 'success')
  assert.equal((await send(w.ann, 'three')).result, 'success')
  await w.restore(await w.snapshot())
  assert.deepEqual(
    (await queue()).map(({ id }: { id: number }) => id),
    [second],
  )
  assert.equal((await send(w.ann, 'four')).result, 'success')
  await held(w.ben, 'five')
})

test('sends a message once, however many moderators decide at the same time and however often they repeat it', async () => {
  const { w, decide } = await scene()
  await using _ = w.chat
  const id = await held(w.ann, 'once')
  const answers = await Promise.all([
    ...[decide(id, 'approve'), decide(id, 'approve', w.iago), decide(id, 'trust', w.iago), decide(id, 'approve')],
  ])
  assert.deepEqual(new Set(answers.map(({ result }) => result)), new Set(['success']))
  assert.equal(new Set(answers.map(({ message_id }) => message_id)).size, 1)
  const late = await decide(id, 'reject', w.iago)
  assert.deepEqual([late.status, late.msg], [409, 'Another moderator has approved this message.'])
  const count = async () =>
    (await newest(w.ben, 99)).filter(({ content }: { content: string }) => content === 'once').length
  assert.equal(await count(), 1)
  await w.restore(await w.snapshot())
  assert.equal((await decide(id, 'approve')).message_id, answers[0]!.message_id)
  assert.equal(await count(), 1)
})

test('holds a repeated request once, and answers it with the same error', async () => {
  const { w, queue, decide } = await scene()
  await using _ = w.chat
  const { queue_id } = await w.ann.api.post('/register', { event_types: ['message'] })
  const repeated = { queue_id, local_id: '7.1' }
  const id = await held(w.ann, 'hello', repeated)
  assert.equal(await held(w.ann, 'hello', repeated), id)
  const keyed = apiOf(w.chat, { email: w.ann.email, key: w.ann.key }, { 'idempotency-key': 'k' })
  const other = await held({ api: keyed }, 'with a key')
  assert.equal(await held({ api: keyed }, 'with a key'), other)
  assert.equal((await queue()).length, 2)
  const { message_id } = await decide(id, 'trust')
  // The response was lost, and a moderator trusts the author before the client tries again.
  assert.equal((await send(w.ann, 'hello', repeated)).id, message_id)
  assert.equal(await held({ api: keyed }, 'with a key'), other)
})

test('tells the author why a message is rejected, with the text', async () => {
  const { w, queue, decide } = await scene()
  await using _ = w.chat
  const id = await held(w.ann, 'rude words')
  const answer = await decide(id, 'reject', w.cordelia, { reason: 'Be kind' })
  assert.equal(answer.message_id, null)
  assert.equal((await decide(id, 'reject', w.iago)).result, 'success')
  assert.equal((await decide(id, 'approve', w.iago)).status, 409)
  const [notice] = await newest(w.ann)
  assert.equal(
    notice.content,
    'A moderator has rejected your message.\n\n```` quote\nBe kind\n````\n\nYour text was:\n\n```` quote\nrude words\n````',
  )
  assert.deepEqual(await queue(), [])
  const [row] = await storeOf(w.chat).db.selectFrom('held_message').select(['state', 'content']).execute()
  assert.deepEqual(row, { state: 'rejected', content: '' })
  const { entries } = await w.iago.api.get('/audit', { action: 'decideHeldMessage' })
  const [, first] = entries
  assert.deepEqual([first.actor_id, first.after.decision, first.after.reason], [w.cordelia.id, 'reject', 'Be kind'])
  assert.ok(!JSON.stringify(entries).includes('rude'))
  w.clock.advance(8 * DAY)
  await sweep(w.chat)
  assert.deepEqual(await storeOf(w.chat).db.selectFrom('held_message').select('id').execute(), [])
})

test('drops what waits with its account and with its channel, and when its author takes it back', async () => {
  const { w, queue, decide } = await scene()
  await using _ = w.chat
  const { ann, ben } = w
  const events = await listen(w.cordelia, ['held_message'])
  const ids = [await held(ann, 'taken back'), await held(ann, 'in the den', { to: 'den' }), await held(ben, 'of ben')]
  assert.equal((await ben.api.delete(`/users/me/held_messages/${ids[0]}`)).status, 404)
  assert.equal((await ann.api.delete(`/users/me/held_messages/${ids[0]}`)).result, 'success')
  assert.equal((await ann.api.delete(`/users/me/held_messages/${ids[0]}`)).status, 404)
  assert.equal((await w.iago.api.delete(`/streams/${await w.streamId('den')}`)).result, 'success')
  await w.iago.api.delete(`/users/${ben.id}`)
  assert.deepEqual(await queue(), [])
  for (const id of ids) assert.equal((await decide(id, 'approve')).msg, 'No such held message')
  const states = (await events()).map(({ held_message_id, state }) => [held_message_id, state])
  assert.deepEqual(
    states.slice(3),
    ids.map((id) => [id, 'dropped']),
  )
})

test('checks at the approval whether the author may still write there', async () => {
  const { w, queue, decide } = await scene()
  await using _ = w.chat
  const id = await held(w.ann, 'in the den', { to: 'den' })
  await w.ann.api.delete('/users/me/subscriptions', { subscriptions: ['den'] })
  assert.equal((await decide(id, 'approve')).code, 'STREAM_DOES_NOT_EXIST')
  assert.equal((await queue()).length, 1)
  assert.equal((await decide(id, 'reject')).result, 'success')
})

test('is for moderators, and not for their own messages', async () => {
  const { w, queue, decide } = await scene({})
  await using _ = w.chat
  await w.iago.api.patch('/realm', {
    can_bypass_content_filters_group: { new: await w.groupId('role:owners') },
  })
  const filter = { kind: 'word', pattern: 'careful', action: 'hold' }
  assert.equal((await w.iago.api.post('/content_filters', filter)).msg, '')
  const own = await held(w.cordelia, 'Careful!')
  assert.deepEqual(await queue(), [])
  assert.equal((await decide(own, 'approve')).msg, "You can't moderate your own account.")
  const [row] = await queue(w.iago)
  assert.deepEqual([row.id, row.reason, row.matched], [own, 'filter', 'careful'])
  assert.equal((await w.cordelia.api.get('/users/me/held_messages')).held_messages[0].matched, '')
  for (const answer of [await w.ann.api.get('/held_messages'), await decide(own, 'approve', w.ann)])
    assert.equal(answer.code, 'UNAUTHORIZED_PRINCIPAL')
  assert.equal((await decide(own, 'approve', w.iago)).result, 'success')
})

test('rejects what can not wait: edits, moves, options of polls, names that a filter holds', async () => {
  const { w, decide } = await scene({})
  await using _ = w.chat
  const mine = await w.ann.says('mine')
  const poll = (await send(w.ben, '/poll Lunch?\nyes')).id
  await w.iago.api.patch('/realm', { hold_first_messages: 5 })
  const later = 'Moderators review the first messages of new accounts. You can do this later.'
  const option = JSON.stringify({ type: 'new_option', idx: 1, option: 'ads' })
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  const submit = (content: string) => w.ann.api.post('/submessage', { message_id: poll, msg_type: 'widget', content })
  assert.equal((await w.ann.api.patch(`/messages/${mine.id}`, { content: 'ads' })).msg, later)
  assert.equal((await w.ann.api.patch(`/messages/${mine.id}`, { topic: 'ads' })).msg, later)
  assert.equal((await submit(option)).msg, later)
  assert.equal((await submit(vote)).msg, '')
  await decide(await held(w.ann, 'hello'), 'trust')
  assert.equal((await w.ann.api.patch(`/messages/${mine.id}`, { content: 'fine' })).msg, '')
  await w.iago.api.post('/content_filters', { kind: 'word', pattern: 'ads', action: 'hold', message: 'No ads.' })
  assert.equal((await w.ann.api.patch(`/messages/${mine.id}`, { content: 'ads' })).msg, 'No ads.')
  assert.equal((await send(w.ann, 'fine', { topic: 'ads' })).msg, 'No ads.')
  await held(w.ann, 'ads')
})

test('holds scheduled messages when they are due', async () => {
  const { w, queue } = await scene()
  await using _ = w.chat
  const scheduled_delivery_timestamp = Math.floor(w.clock.now() / 1000) + 60
  const params = { type: 'direct', to: [w.ben.id], content: 'later', scheduled_delivery_timestamp }
  assert.equal((await w.ann.api.post('/scheduled_messages', params)).msg, '')
  w.clock.advance(61_000)
  await eventually('it waits', async () => (await queue()).length === 1)
  assert.deepEqual((await w.ann.api.get('/scheduled_messages')).scheduled_messages, [])
})

test('keeps the files and the poll of a message that waits', async () => {
  const { w, decide } = await scene()
  await using _ = w.chat
  const { url } = await w.ann.api.upload('/user_uploads', new Uint8Array([1]), 'a.txt')
  const id = await held(w.ann, `/poll [file](${url})?\nyes`)
  w.clock.advance(40 * DAY)
  await sweepFiles(contextOf(w.chat))
  assert.equal((await decide(id, 'approve')).msg, '')
  const [message] = await newest(w.ben)
  assert.equal(message.submessages.length, 1)
  assert.equal(
    (await w.ben.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).messages[0].id,
    message.id,
  )
  assert.equal((await storeOf(w.chat).db.selectFrom('file').select('id').execute()).length, 1)
})

test('limits how many messages of one account wait', async () => {
  const { w } = await scene()
  await using _ = w.chat
  for (let i = 0; i < 50; i++) await held(w.ann, `${i}`)
  assert.equal((await send(w.ann, 'one more')).msg, 'Too many of your messages wait for a moderator.')
  await held(w.ben, 'of another')
  const page = await w.cordelia.api.get('/held_messages')
  assert.deepEqual([page.held_messages.length, page.count], [50, 51])
  assert.equal((await w.cordelia.api.get('/held_messages', { after: page.next })).held_messages.length, 1)
})
