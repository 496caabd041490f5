import assert from 'node:assert/strict'
import test from 'node:test'
import { type Person, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'

const change = (who: Person, method: 'post' | 'delete', principals: readonly number[]) =>
  who.api[method]('/users/me/subscriptions', {
    subscriptions: method === 'post' ? [{ name: 'hall' }] : ['hall'],
    principals,
  })

test('counts active subscribers, bots included, without a client having to ask for their list', async () => {
  await using w = await world({ people: { bob: { bot: true } }, streams: { hall: { members: ['iago'] } } })
  const { iago, hamlet, cordelia, polonius } = w.people
  const bob = w.person('bob')
  const hall = await w.streamId('hall')
  const count = async () => (await iago.api.get(`/streams/${hall}`)).stream.subscriber_count
  assert.equal(await count(), 1)
  const steps: readonly (readonly [step: () => Promise<unknown>, then: number])[] = [
    [() => change(iago, 'post', [hamlet.id, cordelia.id, bob.id]), 4],
    [() => change(iago, 'post', [hamlet.id, polonius.id]), 5],
    [() => change(iago, 'delete', [cordelia.id]), 4],
    [() => iago.api.delete(`/users/${bob.id}`), 3],
    [() => iago.api.delete(`/users/${hamlet.id}`), 2],
    [() => iago.api.post(`/users/${hamlet.id}/reactivate`), 3],
    [() => iago.api.delete(`/streams/${hall}`), 3],
    [() => iago.api.patch(`/streams/${hall}`, { is_archived: false }), 3],
    [() => iago.api.patch(`/streams/${hall}`, { is_private: true }), 3],
    [() => iago.api.patch(`/streams/${hall}`, { is_private: false }), 3],
  ]
  for (const [step, then] of steps) {
    await verifyEvents([iago, polonius], step)
    assert.equal(await count(), then)
  }
  const state = await polonius.api.post('/register', { fetch_event_types: ['subscription'] })
  const own = state.subscriptions.find(({ name }: { name: string }) => name === 'hall')
  assert.deepEqual([own.subscriber_count, 'subscribers' in own], [3, false])
})
