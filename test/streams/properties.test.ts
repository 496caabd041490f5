import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatEvent } from '../../src/core/events/types/table.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { world } from '../../src/testing/world.ts'

const named = (event: ChatEvent) => ('op' in event ? `${event.type} ${event.op}` : event.type)

test('changes personal subscription settings', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const stream_id = await w.streamId('general')
  await verifyEvents([hamlet], () =>
    hamlet.api.post('/users/me/subscriptions/properties', {
      subscription_data: [
        { stream_id, property: 'color', value: '#ABC' },
        { stream_id, property: 'in_home_view', value: false },
        { stream_id, property: 'pin_to_top', value: true },
        { stream_id, property: 'audible_notifications', value: true },
      ],
    }),
  )
  const { subscriptions } = await hamlet.api.get('/users/me/subscriptions')
  const { color, is_muted, in_home_view, pin_to_top, audible_notifications } = subscriptions[0]
  assert.deepEqual(
    { color, is_muted, in_home_view, pin_to_top, audible_notifications },
    {
      color: '#aabbcc',
      is_muted: true,
      in_home_view: false,
      pin_to_top: true,
      audible_notifications: true,
    },
  )
})

test('keeps preferences about email and push together with the others', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  const stream_id = await w.streamId('general')
  const change = (property: string, value: boolean) => ({ stream_id, property, value })
  const subscription_data = [
    change('pin_to_top', true),
    change('email_notifications', true),
    change('push_notifications', true),
  ]
  assert.equal((await api.post('/users/me/subscriptions/properties', { subscription_data })).msg, '')
  const [shown] = (await api.get('/users/me/subscriptions')).subscriptions
  const { pin_to_top, email_notifications, push_notifications } = shown
  assert.deepEqual(
    { pin_to_top, email_notifications, push_notifications },
    {
      pin_to_top: true,
      email_notifications: true,
      push_notifications: true,
    },
  )
})

test('changes all settings or none', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const stream_id = await w.streamId('general')
  const good = { stream_id, property: 'pin_to_top', value: true }
  const cases: [object, string][] = [
    [{ stream_id, property: 'smell', value: true }, 'Unknown subscription property: smell'],
    [{ stream_id: 99, property: 'color', value: '#fff' }, 'Not subscribed to stream id 99'],
    [{ stream_id, property: 'color', value: 'red' }, 'color is not a valid hex color code'],
    [{ stream_id, property: 'is_muted', value: 'yes' }, 'is_muted is not a boolean'],
    [{ stream_id, property: 'in_home_view', value: 'yes' }, 'in_home_view is not a boolean'],
  ]
  for (const [bad, msg] of cases) {
    const answer = await hamlet.api.post('/users/me/subscriptions/properties', { subscription_data: [good, bad] })
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  const { subscriptions } = await hamlet.api.get('/users/me/subscriptions')
  assert.equal(subscriptions[0].pin_to_top, false)
})

test('rejects more than 1,000 changes in a request entirely', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const stream_id = await w.streamId('general')
  const change = { stream_id, property: 'pin_to_top', value: true }
  const ask = (count: number) =>
    hamlet.api.post('/users/me/subscriptions/properties', { subscription_data: Array(count).fill(change) })
  const isPinned = async () => (await hamlet.api.get('/users/me/subscriptions')).subscriptions[0].pin_to_top
  const refused = await ask(1001)
  assert.deepEqual([refused.status, refused.msg], [400, 'Too many changes; at most 1000 in one request'])
  assert.equal(await isPinned(), false)
  assert.equal((await ask(1000)).status, 200)
  assert.equal(await isPinned(), true)
})

test('subscribes and unsubscribes in one request', async () => {
  await using w = await world({ streams: { tower: { members: ['iago'] } } })
  const { hamlet } = w.people
  const answer = await hamlet.api.patch('/users/me/subscriptions', { add: [{ name: 'tower' }], delete: ['general'] })
  assert.deepEqual([answer.subscribed, answer.removed], [{ [hamlet.id]: ['tower'] }, ['general']])
  const path = `/users/${hamlet.id}/subscriptions/${await w.streamId('tower')}`
  assert.equal((await hamlet.api.get(path)).is_subscribed, true)
  assert.equal(
    (await hamlet.api.patch('/users/me/subscriptions', {})).msg,
    'Nothing to do. Specify at least one of "add" or "delete".',
  )
})

test('sends visible events when a stream is renamed, made private or public, and archived', async () => {
  await using w = await world({ streams: { tower: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet, cordelia, polonius } = w.people
  const path = `/streams/${await w.streamId('tower')}`
  const people = [iago, hamlet, cordelia, polonius]
  const options = { include_subscribers: true }
  await verifyEvents(people, () => iago.api.patch(path, { new_name: 'keep', description: 'A *high* place' }), options)
  const [, inside, outside, guest] = await verifyEvents(
    people,
    () => iago.api.patch(path, { is_private: true }),
    options,
  )
  assert.deepEqual(
    [inside!.map(named), outside!.map(named), guest],
    [['stream update', 'message'], ['stream delete'], []],
  )
  assert.equal((await cordelia.api.patch(path, { description: 'x' })).msg, 'Invalid stream ID')
  assert.equal(
    (await hamlet.api.patch(path, { description: 'x' })).msg,
    'You do not have permission to administer this channel.',
  )
  const [, , now] = await verifyEvents(people, () => iago.api.patch(path, { is_private: false }), options)
  assert.deepEqual(now!.map(named), ['stream create', 'subscription peer_add'])
  await verifyEvents(people, () => iago.api.delete(path), options)
  assert.equal((await iago.api.get(path)).stream.is_archived, true)
  await verifyEvents(people, () => iago.api.patch(path, { is_archived: false, new_name: 'hold' }), options)
})
