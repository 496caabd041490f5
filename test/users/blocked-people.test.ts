import assert from 'node:assert/strict'
import test from 'node:test'
import { apiOf, type Person, world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { listen } from '../messages/listen.ts'

const NEUTRAL = 'This conversation does not include any users who can authorize it.'
const OWN = 'You have blocked this person. Unblock them to write to each other.'

type Writer = Pick<Person, 'api'>
const write = (who: Writer, ...to: Person[]) =>
  who.api.post('/messages', { type: 'direct', to: to.map(({ id }) => id), content: 'hello' })
const block = (who: Person, other: Pick<Person, 'id'>, on = true) =>
  who.api.post(`/users/me/muted_users/${other.id}`, { block: on })

test('keeps two people from writing to each other, with one neutral sentence for the blocked one', async () => {
  await using w = await world({ people: ['ann', 'ben'] })
  const { ann, ben, hamlet } = w
  assert.equal((await block(ann, ben)).result, 'success')
  const refused = await write(ben, ann)
  assert.deepEqual([refused.status, refused.code, refused.msg], [400, 'BAD_REQUEST', NEUTRAL])
  assert.equal((await write(ann, ben)).msg, OWN)
  // It is the sentence of an organization that restricts direct messages.
  const nobody = await w.groupId('role:owners')
  await w.iago.api.patch('/realm', { direct_message_permission_group: { new: nobody } })
  assert.equal((await write(ben, hamlet)).msg, NEUTRAL)
  await w.iago.api.patch('/realm', { direct_message_permission_group: { new: await w.groupId('role:everyone') } })
  // Groups, other people and channels stay open.
  assert.equal((await write(ben, ann, hamlet)).result, 'success')
  assert.equal((await write(ben, hamlet)).result, 'success')
  assert.equal((await write(ben, ben)).result, 'success')
  await ben.says('in a channel')
  await ann.api.delete(`/users/me/muted_users/${ben.id}`)
  assert.equal((await write(ben, ann)).result, 'success')
  assert.equal((await write(ann, ben)).result, 'success')
})

test('also where both have blocked each other, and after a restart', async () => {
  await using w = await world({ people: ['ann', 'ben'] })
  await Promise.all([block(w.ann, w.ben), block(w.ben, w.ann)])
  await w.restore(await w.snapshot())
  assert.equal((await write(w.ben, w.ann)).msg, OWN)
  await w.ben.api.delete(`/users/me/muted_users/${w.ann.id}`)
  assert.equal((await write(w.ben, w.ann)).msg, NEUTRAL)
  assert.equal((await write(w.ann, w.ben)).msg, OWN)
})

test('finds no way around a block: bots, scheduled messages, edits, reactions and votes', async () => {
  await using w = await world({ people: ['ann', 'ben'] })
  const { ann, ben } = w
  const old = await ben.says('harmless', { people: [ann] })
  const theirs = await ann.says('hello', { people: [ben] })
  const poll = await ann.says('/poll Lunch?\nyes', { people: [ben] })
  const { user_id, api_key } = await ben.api.post('/bots', { full_name: 'Echo', short_name: 'echo' })
  const { email } = (await ben.api.get(`/users/${user_id}`)).user
  const bot = { id: user_id, api: apiOf(w.chat, { email, key: api_key }) } as unknown as Person
  const at = Math.floor(w.clock.now() / 1000) + 60
  const scheduled = { type: 'direct', to: [ann.id], content: 'later', scheduled_delivery_timestamp: at }
  assert.equal((await ben.api.post('/scheduled_messages', scheduled)).result, 'success')
  await block(ann, ben)
  const received = await listen(ann, ['message', 'update_message', 'reaction', 'submessage', 'typing'])
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  for (const answer of [
    await write(bot, ann),
    await write(ben, ann, bot),
    await write(bot, ann, ben),
    await ben.api.post('/scheduled_messages', scheduled),
    await ben.api.patch(`/messages/${old.id}`, { content: 'now this' }),
    await ben.api.post(`/messages/${theirs.id}/reactions`, { emoji_name: 'tada' }),
    await ben.api.post('/submessage', { message_id: poll.id, msg_type: 'widget', content: vote }),
    await ben.api.post('/typing', { op: 'start', to: [ann.id] }),
  ])
    assert.deepEqual([answer.status, answer.msg], [400, NEUTRAL])
  w.clock.advance(61_000)
  const first = async () => (await ben.api.get('/scheduled_messages')).scheduled_messages[0]
  await eventually('it fails', async () => (await first()).failed === true)
  assert.deepEqual(await received(), [])
  // The server still reaches both.
  await w.iago.api.patch(`/users/${w.cordelia.id}`, { role: 300 })
  const warned = await w.cordelia.api.post(`/users/${ben.id}/moderate`, { actions: ['warn'], reason: 'Stop' })
  assert.equal(warned.result, 'success')
})

test('blocks and unblocks a muted person, and tells only the person who blocks', async () => {
  await using w = await world({ people: ['ann', 'ben'] })
  const { ann, ben } = w
  const [own, other] = [await listen(ann, ['muted_users']), await listen(ben, ['muted_users'])]
  const timestamp = Math.floor(w.clock.now() / 1000)
  await ann.api.post(`/users/me/muted_users/${ben.id}`)
  assert.equal((await write(ben, ann)).result, 'success')
  assert.equal((await block(ann, ben)).result, 'success')
  assert.equal((await block(ann, ben)).msg, 'User already muted')
  assert.equal((await block(ann, ben, false)).result, 'success')
  assert.equal((await write(ben, ann)).result, 'success')
  const flags = (await own()).map(({ muted_users }) => muted_users)
  assert.deepEqual(
    flags,
    [{}, { is_blocked: true }, {}].map((blocked) => [{ id: ben.id, timestamp, ...blocked }]),
  )
  assert.deepEqual(await other(), [])
  assert.equal((await block(ann, ann)).msg, 'Cannot mute self')
  assert.equal((await block(ann, { id: 999_999 })).msg, 'No such user')
  assert.equal((await ann.api.post(`/users/me/muted_users/${ben.id}`, { block: 'x' })).status, 400)
})
