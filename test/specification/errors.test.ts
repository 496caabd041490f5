import assert from 'node:assert/strict'
import test from 'node:test'
import { type Answer, type Person, type World, world } from '../../src/testing/index.ts'

// Specification, Errors: a test for each row.

test('Error | result | "error" on failure, "success" on success', async () => {
  await using w = await world()
  assert.equal((await w.people.iago.api.get('/users')).result, 'success')
  assert.equal((await w.people.iago.api.get('/messages/999')).result, 'error')
})

test('Error | msg | human-readable message; "" on success', async () => {
  await using w = await world()
  assert.equal((await w.people.iago.api.get('/users')).msg, '')
  assert.equal((await w.people.iago.api.get('/messages/999')).msg, 'Invalid message(s)')
})

test('Error | code | error code', async () => {
  await using w = await world()
  assert.equal((await w.people.iago.api.get('/messages/999')).code, 'BAD_REQUEST')
  assert.ok(!('code' in (await w.people.iago.api.get('/users'))))
})

test('Error | stream | present with STREAM_DOES_NOT_EXIST; the stream name that was sent', async () => {
  await using w = await world()
  const answer = await w.people.iago.api.post('/messages', {
    type: 'stream',
    to: 'No Such 🐙',
    topic: 't',
    content: 'x',
  })
  assert.equal(answer.stream, 'No Such 🐙')
})

interface Case {
  name: string
  call: (w: World, who: World['people']) => Promise<Answer>
  expected: Omit<Answer, 'status' | 'result'>
}

const sendTo = (person: Person, type: string, to: unknown) =>
  person.api.post('/messages', { type, to, topic: 't', content: 'x' })

const cases: Case[] = [
  {
    name: 'Send a message | stream message to a stream that does not exist',
    call: (_, { iago }) => sendTo(iago, 'stream', 'nonexistent'),
    expected: { code: 'STREAM_DOES_NOT_EXIST', msg: "Stream 'nonexistent' does not exist", stream: 'nonexistent' },
  },
  {
    name: 'Send a message | stream message to a private stream of others: the same answer',
    call: (_, { hamlet }) => sendTo(hamlet, 'stream', 'secret'),
    expected: { code: 'STREAM_DOES_NOT_EXIST', msg: "Stream 'secret' does not exist", stream: 'secret' },
  },
  {
    name: 'Send a message | private message to a user that does not exist',
    call: (_, { iago }) => sendTo(iago, 'private', ['nobody@example.com']),
    expected: { code: 'BAD_REQUEST', msg: "Invalid email 'nobody@example.com'" },
  },
  {
    name: 'Remove an emoji reaction | emoji code is invalid',
    call: async (_, { iago }) => {
      const { id } = await iago.says('hi')
      return iago.api.delete(`/messages/${id}/reactions`, { emoji_code: 'not-a-code', reaction_type: 'unicode_emoji' })
    },
    expected: { code: 'BAD_REQUEST', msg: 'Invalid message(s)' },
  },
  {
    name: 'Add a default stream | invalid stream ID',
    call: (_, { iago }) => iago.api.post('/default_streams', { stream_id: 9999 }),
    expected: { code: 'BAD_REQUEST', msg: 'Invalid stream ID' },
  },
  {
    name: 'Add a default stream | stream is private',
    call: async (w, { iago }) => iago.api.post('/default_streams', { stream_id: await w.streamId('secret') }),
    expected: { code: 'BAD_REQUEST', msg: 'Private streams cannot be made default.' },
  },
  {
    name: 'Delete a message | message does not exist',
    call: (_, { iago }) => iago.api.delete('/messages/9999'),
    expected: { code: 'BAD_REQUEST', msg: 'Invalid message(s)' },
  },
  {
    name: 'Delete a message | caller lacks permission to delete the message',
    call: async (_, { iago, hamlet }) => {
      const { id } = await iago.says('hi')
      return hamlet.api.delete(`/messages/${id}`)
    },
    expected: { code: 'BAD_REQUEST', msg: "You don't have permission to delete this message" },
  },
  {
    name: 'Delete a message | Administrators only: not even their own',
    call: async (_, { hamlet }) => {
      const { id } = await hamlet.says('hi')
      return hamlet.api.delete(`/messages/${id}`)
    },
    expected: { code: 'BAD_REQUEST', msg: "You don't have permission to delete this message" },
  },
  {
    name: 'Add a default stream | Administrators only',
    call: async (w, { hamlet }) => hamlet.api.post('/default_streams', { stream_id: await w.streamId('general') }),
    expected: { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization administrator' },
  },
]

for (const { name, call, expected } of cases) {
  test(name, async () => {
    await using w = await world({ streams: { secret: { private: true } } })
    assert.deepEqual(await call(w, w.people), { status: 400, result: 'error', ...expected })
  })
}
