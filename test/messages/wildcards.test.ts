import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PersonSeed } from '../../src/testing/seed.ts'
import { world } from '../../src/testing/world.ts'

const names = Array.from({ length: 14 }, (_, n) => `member${n}`)
const people: Record<string, PersonSeed> = Object.fromEntries(names.map((name) => [name, {}]))

/** A stream with 16 subscribers: one more than a wildcard may mention without a permission. */
const crowd = () => world({ people, streams: { hall: { members: ['iago', 'hamlet', ...names] } } })

test('mentioning everyone in a stream of more than 15 requires a permission', async () => {
  await using w = await crowd()
  const { hamlet, iago } = w.people
  const post = { type: 'stream', to: 'hall', topic: 'x', content: '@**all** hello' }
  const refused = await hamlet.api.post('/messages', post)
  assert.equal(refused.code, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED')
  assert.equal((await iago.api.post('/messages', post)).result, 'success')
  await w.person('member0').api.delete('/users/me/subscriptions', { subscriptions: ['hall'] })
  assert.equal((await hamlet.api.post('/messages', post)).result, 'success', 'with 15 it needs none')
})

test('mentioning a topic of more than 15 requires a permission, and reacting makes a participant', async () => {
  await using w = await crowd()
  const { hamlet, iago } = w.people
  const to = { stream: 'hall', topic: 'x' }
  const { id } = await iago.says('a question', to)
  for (const name of names.slice(1)) await w.person(name).says('an answer', to)
  const post = { type: 'stream', to: 'hall', topic: 'x', content: '@**topic** hello' }
  assert.equal((await hamlet.api.post('/messages', post)).result, 'success', '14 have written in it')
  const member = w.person('member0')
  assert.equal((await member.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })).result, 'success')
  const refused = await hamlet.api.post('/messages', post)
  assert.equal(refused.code, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
  assert.equal((await iago.api.post('/messages', post)).result, 'success')
})

test('a topic mention flags people who wrote or reacted in the topic', async () => {
  await using w = await world()
  const { hamlet, iago, cordelia } = w.people
  const { id } = await iago.says('a question', { topic: 'x' })
  await cordelia.says('elsewhere', { topic: 'y' })
  const flagsOf = async (person: typeof hamlet, message_id: number) =>
    (await person.api.get(`/messages/${message_id}`)).message.flags
  const first = await hamlet.says('@**topic** hello', { topic: 'x' })
  assert.ok((await flagsOf(iago, first.id)).includes('topic_wildcard_mentioned'))
  assert.ok(!(await flagsOf(cordelia, first.id)).includes('topic_wildcard_mentioned'))
  await cordelia.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  const second = await hamlet.says('@**topic** hello again', { topic: 'x' })
  assert.ok((await flagsOf(cordelia, second.id)).includes('topic_wildcard_mentioned'))
})
