import assert from 'node:assert/strict'
import test from 'node:test'
import { sweepFiles } from '../../src/core/files/sweep.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { eventually } from '../eventually.ts'
import { DAY, held, newest, scene, send } from './held-scene.ts'

test('checks on approval whether the author may still write there', async () => {
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
  assert.equal((await w.cordelia.api.get('/held_messages', { own: true })).held_messages[0].matched, '')
  for (const answer of [await w.ann.api.get('/held_messages'), await decide(own, 'approve', w.ann)])
    assert.equal(answer.code, 'UNAUTHORIZED_PRINCIPAL')
  assert.equal((await decide(own, 'approve', w.iago)).result, 'success')
})

test("rejects what can't wait: edits, moves, options of polls, names that a filter holds", async () => {
  const { w, decide } = await scene({})
  await using _ = w.chat
  const mine = await w.ann.says('mine')
  const poll = (await send(w.ben, '/poll Lunch?\nyes')).id
  const own = await w.ann.api.post('/channels/create', { name: 'garden', subscribers: [w.ann.id] })
  await w.iago.api.patch('/realm', { hold_first_messages: 5 })
  const later = 'Moderators review the first messages of new accounts. You can do this later.'
  const option = JSON.stringify({ type: 'new_option', idx: 1, option: 'ads' })
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  const submit = (content: string) => w.ann.api.post('/submessage', { message_id: poll, msg_type: 'widget', content })
  assert.equal((await w.ann.api.patch(`/messages/${mine.id}`, { content: 'ads' })).msg, later)
  assert.equal((await w.ann.api.patch(`/messages/${mine.id}`, { topic: 'ads' })).msg, later)
  assert.equal((await submit(option)).msg, later)
  assert.equal((await submit(vote)).msg, '')
  const channel = (name: string) =>
    w.ann.api.post('/users/me/subscriptions', { subscriptions: [{ name, description: 'ads' }], announce: true })
  assert.equal((await channel('market')).msg, later)
  assert.equal((await w.ann.api.patch(`/streams/${own.id}`, { description: 'ads' })).msg, later)
  await decide(await held(w.ann, 'hello'), 'trust')
  assert.equal((await channel('market')).msg, '')
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

test('shows moderators the texts of polls, and holds each poll', async () => {
  const { w, queue, decide } = await scene()
  await using _ = w.chat
  const poll = (question: string) => ({
    widget_content: JSON.stringify({ widget_type: 'poll', extra_data: { question, options: ['yes', 'no'] } }),
  })
  const first = await held(w.ann, 'Vote!', poll('Soup?'))
  const second = await held(w.ann, 'Vote!', poll('Cheap watches?'))
  assert.equal(await held(w.ann, 'Vote!', poll('Soup?')), first)
  assert.deepEqual(
    (await queue()).map((row: { id: number; content: string }) => [row.id, row.content]),
    [
      [first, 'Vote!\nSoup?\nyes\nno'],
      [second, 'Vote!\nCheap watches?\nyes\nno'],
    ],
  )
  assert.match((await send(w.ann, 'Vote!', poll('a'.repeat(10_000)))).msg, /its widget is too large/)
  await decide(first, 'approve')
  const [sent] = await newest(w.ben)
  assert.equal(sent.content, 'Vote!')
  assert.match(sent.submessages[0].content, /Soup/)
})
