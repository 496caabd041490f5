import assert from 'node:assert/strict'
import test from 'node:test'
import { busOf } from '../../src/core/events/log/bus.ts'
import { world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { eventually } from '../eventually.ts'

test('ends the waiting poll of a deactivated user immediately', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { queue_id, last_event_id } = await hamlet.api.post('/register')
  const poll = hamlet.api.get('/events', { queue_id, last_event_id })
  await eventually('the poll waits', () => busOf(w.chat).waiting() === 1)
  await iago.api.delete(`/users/${hamlet.id}`)
  assert.equal((await poll).code, 'BAD_EVENT_QUEUE_ID')
  await iago.api.post(`/users/${hamlet.id}/reactivate`)
})

test('a deactivated user is in no group in any role', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  await iago.api.delete(`/users/${hamlet.id}`)
  const [events] = await verifyEvents([cordelia], () => iago.api.patch(`/users/${hamlet.id}`, { role: 300 }))
  assert.deepEqual(
    events!.map((event) => event.type),
    ['realm_user'],
  )
  await verifyEvents([cordelia], () => iago.api.post(`/users/${hamlet.id}/reactivate`))
})
