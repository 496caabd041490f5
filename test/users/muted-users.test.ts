import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ofType, verifyEvents } from '../../src/testing/verify-events.ts'
import { world } from '../../src/testing/world.ts'

test('mutes and unmutes a user', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const path = `/users/me/muted_users/${iago.id}`
  const [events] = await verifyEvents([hamlet], async () => {
    assert.equal((await hamlet.api.post(path)).result, 'success')
    assert.equal((await hamlet.api.post(path)).msg, 'User already muted')
    assert.equal((await hamlet.api.delete(path)).result, 'success')
    assert.equal((await hamlet.api.delete(path)).msg, 'User is not muted')
  })
  const timestamp = w.clock.now() / 1000
  assert.deepEqual(
    ofType(events!, 'muted_users').map((event) => event.muted_users),
    [[{ id: iago.id, timestamp }], []],
  )
  assert.equal((await hamlet.api.post(`/users/me/muted_users/${hamlet.id}`)).msg, 'Cannot mute self')
  assert.equal((await hamlet.api.post('/users/me/muted_users/999')).msg, 'No such user')
})

test('limits the number of muted users', async () => {
  await using w = await world({ chat: { limits: { mutedUsersPerUser: 1 } } })
  const { hamlet, iago, cordelia } = w.people
  assert.equal((await hamlet.api.post(`/users/me/muted_users/${iago.id}`)).status, 200)
  const second = await hamlet.api.post(`/users/me/muted_users/${cordelia.id}`)
  assert.equal(second.msg, 'Too many muted users; at most 1 per user')
  const { muted_users } = await hamlet.api.post('/register', { fetch_event_types: ['muted_users'] })
  assert.equal(muted_users.length, 1)
})
