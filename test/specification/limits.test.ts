import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'
import { pngOfSize } from '../fixtures/images.ts'

// Specification, Limits: a test for each row. The two of "Send a message" are tested at their field in
// message.test.ts; here, that the limits sent to clients are the enforced ones.

test('Message content size | 10000 bytes maximum', async () => {
  await using w = await world()
  const { max_message_length } = await w.people.iago.api.post('/register', { fetch_event_types: ['realm'] })
  assert.equal(max_message_length, 10_000)
})

test('Topic length | 60 characters maximum', async () => {
  await using w = await world()
  const { max_topic_length } = await w.people.iago.api.post('/register', { fetch_event_types: ['realm'] })
  assert.equal(max_topic_length, 60)
})

const MIB = 1024 * 1024

test('Custom emoji file size | 5 MB by default', async () => {
  await using w = await world()
  const { api } = w.people.iago
  assert.equal((await api.upload('/realm/emoji/just fits', pngOfSize(5 * MIB))).status, 200)
  const refused = await api.upload('/realm/emoji/too large', pngOfSize(5 * MIB + 1))
  assert.equal(refused.result, 'error')
  assert.match(refused.msg, /5 MiB/)
  assert.deepEqual(Object.keys((await api.get('/realm/emoji')).emoji).length, 1)
})

test('Custom emoji file size | the operator can change it with MAX_EMOJI_FILE_SIZE_MIB', async () => {
  await using w = await world({ chat: { maxEmojiFileSizeMib: 1 } })
  const { api } = w.people.iago
  assert.equal((await api.upload('/realm/emoji/just fits', pngOfSize(MIB))).status, 200)
  const refused = await api.upload('/realm/emoji/too large', pngOfSize(MIB + 1))
  assert.equal(refused.result, 'error')
  assert.match(refused.msg, /1 MiB/)
})
