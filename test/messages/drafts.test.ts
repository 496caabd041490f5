import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../src/testing/world.ts'

const draft = (content: string, more: object = {}) => ({ type: '', to: [], topic: '', content, ...more })

test('creates, edits and deletes drafts with an event each', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const general = await w.streamId('general')
  const {
    queue_id,
    last_event_id,
    drafts: none,
  } = await hamlet.api.post('/register', { fetch_event_types: ['drafts'] })
  assert.deepEqual(none, [])
  const { ids } = await hamlet.api.post('/drafts', {
    drafts: [
      draft(' \n    one ', { type: 'stream', to: [general], topic: ' plans ' }),
      draft('two', { type: 'private', to: [cordelia.id], timestamp: 5.5 }),
    ],
  })
  const now = Math.floor(w.clock.now() / 1000)
  const first = { id: ids[0], type: 'stream', to: [general], topic: 'plans', content: '    one', timestamp: now }
  const second = { id: ids[1], type: 'private', to: [cordelia.id], topic: '', content: 'two', timestamp: 5 }
  const listed = await hamlet.api.get('/drafts')
  assert.deepEqual([listed.count, listed.drafts], [2, [second, first]])
  await hamlet.api.patch(`/drafts/${ids[0]}`, { draft: draft('changed') })
  await hamlet.api.delete(`/drafts/${ids[1]}`)
  const { events } = await hamlet.api.get('/events', { queue_id, last_event_id, dont_block: true })
  const changed = { ...first, type: '', to: [], topic: '', content: 'changed' }
  assert.deepEqual(
    events.map(({ id: _, ...event }: { id: number }) => event),
    [
      { type: 'drafts', op: 'add', drafts: [first, second] },
      { type: 'drafts', op: 'update', draft: changed },
      { type: 'drafts', op: 'remove', draft_id: ids[1] },
    ],
  )
  assert.deepEqual((await hamlet.api.post('/register', { fetch_event_types: ['drafts'] })).drafts, [changed])
})

test('only its author can see or change a draft', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { ids } = await hamlet.api.post('/drafts', { drafts: [draft('mine')] })
  for (const answer of [
    await iago.api.patch(`/drafts/${ids[0]}`, { draft: draft('theirs') }),
    await iago.api.delete(`/drafts/${ids[0]}`),
  ]) {
    assert.deepEqual([answer.status, answer.code, answer.msg], [404, 'BAD_REQUEST', 'Draft does not exist'])
  }
  assert.equal((await iago.api.get('/drafts')).count, 0)
  assert.equal((await hamlet.api.get('/drafts')).drafts[0].content, 'mine')
})

test('rejects invalid drafts and stores none of their list', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['iago'] } } })
  const { hamlet } = w.people
  const secret = await w.streamId('secret')
  for (const [bad, msg] of [
    [draft(' '), 'Message must not be empty'],
    [draft('x', { timestamp: -1 }), 'Timestamp must not be negative.'],
    [draft('x', { timestamp: 1e300 }), 'Timestamp is too large.'],
    [draft('x', { topic: 'a\0b' }), 'Topic must not contain null bytes'],
    [draft('x', { type: 'stream', to: [] }), 'Must specify exactly 1 channel ID for channel messages'],
    [draft('x', { type: 'stream', to: [1, 2] }), 'Must specify exactly 1 channel ID for channel messages'],
    [draft('x', { type: 'stream', to: [secret] }), 'Invalid stream ID'],
    [draft('x', { type: 'private', to: [999] }), 'Invalid user ID 999'],
  ] as const) {
    const answer = await hamlet.api.post('/drafts', { drafts: [draft('good'), bad] })
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  assert.equal((await hamlet.api.get('/drafts')).count, 0)
})

test('stores no drafts on the server when synchronization is off', async () => {
  await using w = await world()
  const { hamlet } = w.people
  await hamlet.api.post('/drafts', { drafts: [draft('before')] })
  await hamlet.api.patch('/settings', { enable_drafts_synchronization: false })
  const off = 'User has disabled synchronizing drafts.'
  assert.equal((await hamlet.api.get('/drafts')).msg, off)
  assert.equal((await hamlet.api.post('/drafts', { drafts: [draft('x')] })).msg, off)
  assert.deepEqual((await hamlet.api.post('/register', { fetch_event_types: ['drafts'] })).drafts, [])
})
