import assert from 'node:assert/strict'
import test from 'node:test'
import { subscribe } from '../../src/core/streams/subscriptions/subscribe.ts'
import { world } from '../../src/testing/world.ts'

test('lists topics newest first with their newest message', async () => {
  await using w = await world({ streams: { plans: { members: ['iago'] } } })
  const { iago, hamlet } = w.people
  const stream_id = await w.streamId('plans')
  const say = async (topic: string) => (await iago.says('x', { stream: 'plans', topic })).id
  const [, empty] = [await say('first'), await say('')]
  const second = await say('second')
  const first = await say('FIRST')
  const topics = async (params: object = {}) => {
    const answer = await hamlet.api.get(`/users/me/${stream_id}/topics`, params as never)
    return answer.topics.filter((topic: { name: string }) => topic.name !== 'channel events')
  }
  const rest = [
    { name: 'first', max_id: first },
    { name: 'second', max_id: second },
  ]
  assert.deepEqual(await topics(), [...rest, { name: 'general chat', max_id: empty }])
  assert.deepEqual(await topics({ allow_empty_topic_name: true }), [...rest, { name: '', max_id: empty }])
})

test('lists only topics since joining when history is protected', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['iago'] } } })
  const { iago, hamlet } = w.people
  const path = `/users/me/${await w.streamId('secret')}/topics`
  await iago.says('x', { stream: 'secret', topic: 'before' })
  const refused = await hamlet.api.get(path)
  assert.deepEqual([refused.status, refused.msg], [400, 'Invalid stream ID'])
  await subscribe(iago, { subscriptions: [{ name: 'secret' }], principals: [hamlet.id] })
  const { id } = await iago.says('x', { stream: 'secret', topic: 'after' })
  assert.deepEqual((await hamlet.api.get(path)).topics, [{ name: 'after', max_id: id }])
  assert.deepEqual((await iago.api.get(path)).topics.map((topic: { name: string }) => topic.name).slice(0, 2), [
    'after',
    'before',
  ])
})
