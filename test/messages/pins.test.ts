import assert from 'node:assert/strict'
import test from 'node:test'
import { expireMessages } from '../../src/core/messages/retention/expire.ts'
import { apiOf, type Person, type World, world } from '../../src/testing/index.ts'
import { listen } from './listen.ts'

const pin = (who: Pick<Person, 'api'>, { id }: { id: number }) => who.api.post(`/messages/${id}/pin`)
const unpin = (who: Pick<Person, 'api'>, { id }: { id: number }) => who.api.delete(`/messages/${id}/pin`)

/** The pinned messages of a channel that somebody sees. */
async function pins(w: World<string>, who: Pick<Person, 'api'>, stream = 'general') {
  const { pinned_messages } = await who.api.get(`/streams/${await w.streamId(stream)}/pinned_messages`)
  return pinned_messages as { message_id: number; topic: string; user_id: number; pinned_at: number }[]
}
const pinnedIds = async (...args: Parameters<typeof pins>) => (await pins(...args)).map((one) => one.message_id)

/** cordelia is a moderator, ann made the channel "plans" and ben reads it. */
async function scene() {
  const w = await world({ people: ['ann', 'ben'] })
  await w.iago.api.patch(`/users/${w.cordelia.id}`, { role: 300 })
  await w.ann.joins('plans')
  await w.ben.joins('plans')
  await w.cordelia.joins('plans')
  return { w, plans: await w.streamId('plans') }
}

test('lets moderators and people who administer the channel pin messages, and all its readers see them', async () => {
  const { w } = await scene()
  await using _ = w.chat
  const { ann, ben, cordelia, polonius } = w
  const first = await ben.says('first', { stream: 'plans', topic: 'trip' })
  const second = await ben.says('second', { stream: 'plans', topic: 'food' })
  assert.equal((await pin(ben, first)).msg, "You don't have permission to pin messages in this channel")
  assert.equal((await pin(cordelia, first)).result, 'success')
  w.clock.advance(60_000)
  assert.equal((await pin(ann, second)).result, 'success')
  const now = Math.floor(w.clock.now() / 1000)
  assert.deepEqual(await pins(w, ben, 'plans'), [
    { message_id: second.id, topic: 'food', user_id: ann.id, pinned_at: now },
    { message_id: first.id, topic: 'trip', user_id: cordelia.id, pinned_at: now - 60 },
  ])
  // Repeated, it keeps who pinned it and when.
  assert.equal((await pin(ann, first)).result, 'success')
  assert.equal((await pins(w, ben, 'plans'))[1]!.user_id, cordelia.id)
  assert.equal((await unpin(ben, first)).code, 'BAD_REQUEST')
  assert.equal((await unpin(ann, first)).result, 'success')
  assert.equal((await unpin(ann, first)).result, 'success')
  assert.deepEqual(await pinnedIds(w, ben, 'plans'), [second.id])
  assert.deepEqual(await pinnedIds(w, ben), [])
  // Guests don't see the channel.
  const hidden = await polonius.api.get(`/streams/${await w.streamId('plans')}/pinned_messages`)
  assert.deepEqual([hidden.status, hidden.msg], [400, 'Invalid stream ID'])
  assert.equal((await pin(polonius, second)).msg, 'Invalid message(s)')
})

test('sends the event of a pin to the person who pins, subscribed or not', async () => {
  const { w, plans } = await scene()
  await using _ = w.chat
  const message = await w.ben.says('first', { stream: 'plans', topic: 'trip' })
  await w.cordelia.api.delete('/users/me/subscriptions', { subscriptions: ['plans'] })
  const events = await listen(w.cordelia, ['pinned_messages'])
  assert.equal((await pin(w.cordelia, message)).result, 'success')
  assert.equal((await unpin(w.cordelia, message)).result, 'success')
  const pinned = { type: 'pinned_messages', stream_id: plans }
  assert.deepEqual(await events(), [pinned, pinned])
})

test('shows of protected history only the pinned messages that each reader can see', async () => {
  const w = await world({ streams: { den: { private: true, members: ['iago', 'hamlet'] } } })
  await using _ = w.chat
  const early = await w.iago.says('early', { stream: 'den', topic: 'x' })
  const den = { subscriptions: [{ name: 'den' }], principals: [w.cordelia.id] }
  await w.iago.api.post('/users/me/subscriptions', den)
  const late = await w.iago.says('late', { stream: 'den', topic: 'x' })
  const events = await Promise.all([w.hamlet, w.cordelia].map((who) => listen(who, ['pinned_messages'])))
  const received = () => Promise.all(events.map(async (all) => (await all()).length))
  await pin(w.iago, early)
  assert.deepEqual(await received(), [1, 0])
  await pin(w.iago, late)
  assert.deepEqual(await received(), [1, 1])
  assert.deepEqual(await pinnedIds(w, w.hamlet, 'den'), [late.id, early.id])
  assert.deepEqual(await pinnedIds(w, w.cordelia, 'den'), [late.id])
  await w.iago.api.patch(`/users/${w.cordelia.id}`, { role: 300 })
  assert.equal((await unpin(w.cordelia, early)).msg, 'Invalid message(s)')
})

test('announces changes only to clients that know pinned messages', async () => {
  const w = await world()
  await using _ = w.chat
  const { id } = await w.iago.says('x')
  const register = async (params: object) => {
    const { queue_id } = await w.hamlet.api.post('/register', { fetch_event_types: [], ...params })
    return async () => {
      const { events } = await w.hamlet.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
      return events.filter((event: { type: string }) => event.type === 'pinned_messages')
    }
  }
  const old = await register({})
  const current = await register({ client_capabilities: { pinned_messages: true } })
  const named = await register({ event_types: ['pinned_messages'] })
  await pin(w.iago, { id })
  await pin(w.iago, { id })
  const stream_id = await w.streamId('general')
  assert.deepEqual(await old(), [])
  for (const events of [await current(), await named()]) {
    assert.deepEqual(
      events.map(({ id: _, ...event }: { id: number }) => event),
      [{ type: 'pinned_messages', stream_id }],
    )
  }
  await unpin(w.iago, { id })
  assert.equal((await current()).length, 2)
})

test('keeps a pin when its message moves, also to another channel', async () => {
  const { w, plans } = await scene()
  await using _ = w.chat
  const message = await w.ann.says('x', { stream: 'plans', topic: 'trip' })
  await w.ann.says('not pinned', { stream: 'plans', topic: 'trip' })
  await pin(w.ann, message)
  const move = (params: object) =>
    w.iago.api.patch(`/messages/${message.id}`, { propagate_mode: 'change_all', ...params })
  await move({ topic: 'journey' })
  assert.deepEqual(
    (await pins(w, w.ben, 'plans')).map(({ message_id, topic }) => [message_id, topic]),
    [[message.id, 'journey']],
  )
  await move({ stream_id: await w.streamId('general'), topic: 'elsewhere' })
  assert.deepEqual(await pins(w, w.ben, 'plans'), [])
  assert.deepEqual(
    (await pins(w, w.ben)).map(({ message_id, topic, user_id }) => [message_id, topic, user_id]),
    [[message.id, 'elsewhere', w.ann.id]],
  )
  // There, it is for the people who may pin there.
  assert.equal((await unpin(w.ann, message)).code, 'BAD_REQUEST')
  assert.equal((await unpin(w.cordelia, message)).result, 'success')
  await move({ stream_id: plans })
  assert.deepEqual(await pins(w, w.ben, 'plans'), [])
})

test('ends a pin with its message: deleted, expired, and not restored', async () => {
  const w = await world()
  await using _ = w.chat
  await w.iago.api.patch('/realm', { message_retention_days: 5 })
  const [deleted, expired] = [await w.iago.says('deleted'), await w.iago.says('expired')]
  await pin(w.iago, deleted)
  await pin(w.iago, expired)
  await w.iago.api.delete(`/messages/${deleted.id}`)
  assert.deepEqual(await pinnedIds(w, w.hamlet), [expired.id])
  w.clock.advance(6 * 86_400_000)
  await expireMessages(w.chat)
  assert.deepEqual(await pinnedIds(w, w.hamlet), [])
})

test('pins no direct messages, none in archived channels, and only so many in each channel', async () => {
  const w = await world({ chat: { limits: { pinsPerChannel: 2 } }, streams: { old: { members: ['iago'] } } })
  await using _ = w.chat
  const { iago, hamlet } = w
  const direct = await iago.says('x', { people: [hamlet] })
  assert.equal((await pin(iago, direct)).msg, 'Only messages in channels can be pinned.')
  const [kept, late] = [await iago.says('x', { stream: 'old' }), await iago.says('y', { stream: 'old' })]
  await pin(iago, kept)
  const old = await w.streamId('old')
  await iago.api.delete(`/streams/${old}`)
  assert.equal((await pin(iago, late)).msg, 'This channel is archived. Unarchive it to pin messages.')
  // Readers still find what was pinned before.
  const { pinned_messages } = await hamlet.api.get(`/streams/${old}/pinned_messages`)
  assert.deepEqual(
    pinned_messages.map((one: { message_id: number }) => one.message_id),
    [kept.id],
  )
  const three = [await iago.says('1'), await iago.says('2'), await iago.says('3')] as const
  await pin(iago, three[0])
  await pin(iago, three[1])
  assert.equal((await pin(iago, three[2])).msg, 'This channel has 2 pinned messages. Unpin one first.')
  assert.equal((await pin(iago, three[1])).result, 'success')
  await unpin(iago, three[0])
  assert.equal((await pin(iago, three[2])).result, 'success')
})

test('refuses silenced people, and keys that may only read', async () => {
  const { w } = await scene()
  await using _ = w.chat
  const { ann, cordelia, iago } = w
  const message = await ann.says('x', { stream: 'plans' })
  await iago.api.post(`/users/${ann.id}/moderate`, { actions: ['silence'], minutes: 5, reason: 'Loud' })
  assert.equal((await pin(ann, message)).code, 'SILENCED')
  const made = await cordelia.api.post('/users/me/api_keys', {
    name: 'Reader',
    scopes: ['read'],
    password: cordelia.password,
  })
  const reader = { api: apiOf(w.chat, { email: cordelia.email, key: made.api_key }) }
  assert.notEqual((await pin(reader, message)).result, 'success')
  assert.deepEqual(await pinnedIds(w, reader, 'plans'), [])
  await pin(cordelia, message)
  assert.deepEqual(await pinnedIds(w, reader, 'plans'), [message.id])
})

test('records in the audit log who pinned and unpinned a message, once', async () => {
  const w = await world()
  await using _ = w.chat
  const message = await w.hamlet.says('x')
  for (const action of [pin, pin, unpin, unpin]) await action(w.iago, message)
  const { entries } = await w.iago.api.get('/audit')
  assert.deepEqual(
    entries
      .filter(({ action }: { action: string }) => /pin/.test(action))
      .map(({ action, subject_id, after }: Record<string, unknown>) => [action, subject_id, after]),
    [
      ['unpinMessage', message.id, { pinned: null }],
      ['pinMessage', message.id, { pinned: true }],
    ],
  )
})
