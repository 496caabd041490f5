import assert from 'node:assert/strict'
import test from 'node:test'
import { apiOf, type Person, world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { listen } from './listen.ts'

/** general has a message every 30 seconds. cordelia is a moderator. */
async function scene() {
  const w = await world({ people: ['ann', 'ben'], streams: { verona: { members: ['ann', 'ben'] } } })
  const general = await w.streamId('general')
  await w.iago.api.patch(`/users/${w.cordelia.id}`, { role: 300 })
  const slow = (slow_mode_seconds: unknown, by: Person = w.iago, stream_id = general) =>
    by.api.patch(`/streams/${stream_id}`, { slow_mode_seconds })
  const send = (who: Pick<Person, 'api'>, to = 'general', more: object = {}) =>
    who.api.post('/messages', { type: 'stream', to, topic: 'x', content: 'hello', ...more })
  await slow(30)
  return { w, general, slow, send }
}

test('lets each person write in a channel once in a while, and says how long to wait', async () => {
  const { w, send } = await scene()
  await using _ = w.chat
  assert.equal((await send(w.ann)).result, 'success')
  const refused = await send(w.ann)
  assert.deepEqual(
    [refused.status, refused.code, refused.retry_after, refused['retry-after'], refused.msg],
    [400, 'SLOW_MODE', 30, undefined, 'This channel is in slow mode. You can send your next message in 30 seconds.'],
  )
  assert.equal((await send(w.ann, 'general', { topic: 'another' })).code, 'SLOW_MODE')
  // Others, other channels and direct messages don't wait.
  assert.equal((await send(w.ben)).result, 'success')
  assert.equal((await send(w.ann, 'verona')).result, 'success')
  assert.equal((await w.ann.api.post('/messages', { type: 'direct', to: [w.ben.id], content: 'x' })).result, 'success')
  w.clock.advance(29_000)
  assert.match((await send(w.ann)).msg, /in 1 second\.$/)
  w.clock.advance(1000)
  assert.equal((await send(w.ann)).result, 'success')
  // A rejected message doesn't begin the time again.
  assert.equal((await send(w.ann)).retry_after, 30)
})

test('admits one of two messages at the same time, and one that is sent again', async () => {
  const { w, send } = await scene()
  await using _ = w.chat
  const both = await Promise.all([send(w.ann), send(w.ann)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
  const echo = { queue_id: 'q', local_id: '1' }
  const first = await send(w.ben, 'general', echo)
  assert.deepEqual((await send(w.ben, 'general', echo)).id, first.id)
})

test('finds the last message among many in other channels, and after a restart', async () => {
  const { w, slow, send } = await scene()
  await using _ = w.chat
  await slow(86_400)
  await send(w.ann)
  w.clock.advance(3_600_000)
  for (let i = 0; i < 230; i++) await w.ann.says(`${i}`, { stream: 'verona' })
  await w.restore(await w.snapshot())
  const refused = await send(w.ann)
  assert.deepEqual(
    [refused.retry_after, refused.msg],
    [82_800, 'This channel is in slow mode. You can send your next message in 23 hours.'],
  )
  w.clock.advance(82_800_000)
  assert.equal((await send(w.ann)).result, 'success')
})

test('leaves out moderators, bots and the server, and guests wait like members', async () => {
  const { w, general, send } = await scene()
  await using _ = w.chat
  for (const who of [w.cordelia, w.iago]) {
    assert.equal((await send(who)).result, 'success')
    assert.equal((await send(who)).result, 'success')
  }
  const { user_id, api_key } = await w.ann.api.post('/bots', { full_name: 'Echo', short_name: 'echo' })
  const { email } = (await w.ann.api.get(`/users/${user_id}`)).user
  const bot = { api: apiOf(w.chat, { email, key: api_key }) }
  for (let i = 0; i < 2; i++) assert.equal((await send(bot)).result, 'success')
  await w.iago.api.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'general' }],
    principals: [w.polonius.id],
  })
  assert.equal((await send(w.polonius)).result, 'success')
  assert.equal((await send(w.polonius)).code, 'SLOW_MODE')
  assert.equal((await w.iago.api.patch(`/streams/${general}`, { new_name: 'hall' })).result, 'success')
})

test('fails a scheduled message that comes too soon', async () => {
  const { w, general, send } = await scene()
  await using _ = w.chat
  const at = Math.floor(w.clock.now() / 1000) + 20
  const later = { type: 'stream', to: general, topic: 'x', content: 'later', scheduled_delivery_timestamp: at }
  await w.ann.api.post('/scheduled_messages', later)
  w.clock.advance(10_000)
  await send(w.ann)
  w.clock.advance(10_000)
  const first = async () => (await w.ann.api.get('/scheduled_messages')).scheduled_messages[0]
  await eventually('it fails', async () => (await first())?.failed === true)
})

test('is a setting of people who administer the channel, with an event and an entry in the audit log', async () => {
  const { w, general, slow, send } = await scene()
  await using _ = w.chat
  const received = await listen(w.ann, ['stream'])
  assert.equal((await slow(60, w.ann)).code, 'CANNOT_ADMINISTER_CHANNEL')
  assert.equal((await slow(60, w.cordelia)).code, 'CANNOT_ADMINISTER_CHANNEL')
  for (const wrong of [-1, 86_401, 1.5, '"x"']) assert.equal((await slow(wrong)).status, 400, String(wrong))
  assert.equal((await slow(60)).result, 'success')
  assert.deepEqual(await received(), [
    { type: 'stream', op: 'update', stream_id: general, name: 'general', property: 'slow_mode_seconds', value: 60 },
  ])
  const shown = async () => {
    const { streams } = await w.ann.api.get('/streams')
    return streams.find((one: { stream_id: number }) => one.stream_id === general)
  }
  assert.equal((await shown()).slow_mode_seconds, 60)
  const { entries } = await w.iago.api.get('/audit', { action: 'updateStream' })
  assert.deepEqual([entries[0].before, entries[0].after], [{ slow_mode_seconds: 30 }, { slow_mode_seconds: 60 }])
  await send(w.ann)
  await slow(0)
  assert.equal((await send(w.ann)).result, 'success')
  const ended = (await received()).at(-1)
  assert.deepEqual([ended.property, ended.value], ['slow_mode_seconds', 0])
  // Clients that know only the Zulip API reject other members.
  assert.equal('slow_mode_seconds' in (await shown()), false)
})
