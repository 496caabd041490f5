import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { world } from '../../src/testing/world.ts'

test('follows, mutes and resets a topic', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const stream_id = await w.streamId('general')
  const set = (topic: string, visibility_policy: number) =>
    hamlet.api.post('/user_topics', { stream_id, topic, visibility_policy })
  const [events] = await verifyEvents([hamlet], async () => {
    await set('Plays', 3)
    await set('plays', 1)
    await set('plays', 1)
    await set('other', 2)
    await set('other', 0)
  })
  const policies = events!.filter((event) => event.type === 'user_topic')
  assert.deepEqual(
    policies.map((event) => [event.topic_name, event.visibility_policy]),
    [
      ['Plays', 3],
      ['Plays', 1],
      ['other', 2],
      ['other', 0],
    ],
  )
  assert.equal((await set('x', 9)).msg, 'Invalid visibility_policy')
  assert.equal(
    (await hamlet.api.post('/user_topics', { stream_id: 99, topic: 'x', visibility_policy: 1 })).msg,
    'Invalid stream ID',
  )
})

test('the older endpoint mutes and unmutes by name or id', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const stream_id = await w.streamId('general')
  const patch = (params: Record<string, unknown>) =>
    hamlet.api.patch('/users/me/subscriptions/muted_topics', { topic: 'plays', ...params })
  assert.equal((await patch({ stream: 'general', op: 'add' })).result, 'success')
  assert.equal((await patch({ stream_id, op: 'add' })).msg, 'Topic already muted')
  const { muted_topics } = await hamlet.api.post('/register', { fetch_event_types: ['muted_topics'] })
  assert.deepEqual(muted_topics, [['general', 'plays', w.clock.now() / 1000]])
  assert.equal((await patch({ stream_id, op: 'remove' })).result, 'success')
  assert.equal((await patch({ stream_id, op: 'remove' })).msg, 'Topic is not muted')
  assert.equal((await patch({ op: 'add' })).msg, "Please supply 'stream'.")
})
