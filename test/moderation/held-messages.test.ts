import assert from 'node:assert/strict'
import test from 'node:test'
import { sweep } from '../../src/core/events/queues/sweep.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'
import { DAY, held, newest, scene, send } from './held-scene.ts'

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
  const own = (await ann.api.get('/held_messages', { own: true })).held_messages
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

test("doesn't hold or count messages to oneself and to bots", async () => {
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

test("doesn't hold messages of a trusted author, even after a restart", async () => {
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
  // People press the button again in clients that don't know the error.
  assert.equal(await held(w.ann, 'hello'), id)
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

test('drops held messages with their account or channel, or when their author withdraws them', async () => {
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
