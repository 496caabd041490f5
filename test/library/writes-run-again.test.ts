import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { presenceReportsOf } from '../../src/core/users/presence-reports.ts'
import { world } from '../../src/testing/index.ts'
import { besideFailures } from './failing-writes.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

test('subscribing to many new channels creates each, although its writes run again', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const names = numbers(40).map((i) => `channel ${i}`)
  const subscriptions = names.map((name) => ({ name }))
  const answer = await besideFailures(w, () =>
    iago.api.post('/users/me/subscriptions', { subscriptions, principals: [hamlet.id] }),
  )
  assert.equal(answer.msg, '')
  assert.deepEqual(answer.subscribed, { [hamlet.id]: names })
  const { subscriptions: own } = await hamlet.api.get('/users/me/subscriptions')
  assert.deepEqual(own.map(({ name }: { name: string }) => name).sort(), ['general', ...names].sort())
})

test('an answer counts each changed flag once, although its write runs again', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  for (const text of ['one', 'two', 'three']) await iago.says(text, { topic: 'counted' })
  const narrow = [{ operator: 'topic', operand: 'counted' }]
  const params = { anchor: 'newest', num_before: 10, num_after: 0, narrow, op: 'add', flag: 'starred' }
  const answer = await besideFailures(w, () => hamlet.api.post('/messages/flags/narrow', params))
  assert.deepEqual([answer.processed_count, answer.updated_count], [3, 3])
})

test('gathered presence is stored, although its write runs again', async () => {
  await using w = await world()
  const { hamlet } = w.people
  presenceReportsOf(w.chat).note(hamlet.id, 'active')
  await besideFailures(w, () => presenceReportsOf(w.chat).flush())
  const rows = () => storeOf(w.chat).db.selectFrom('presence').selectAll().where('user_id', '=', hamlet.id).execute()
  const [stored] = await rows()
  assert.ok(stored)
  await presenceReportsOf(w.chat).flush()
  assert.deepEqual(await rows(), [stored])
})
