import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import { ConnectionError } from '../../src/client/request.ts'
import { ChatError } from '../../src/core/kernel/errors.ts'
import { world } from '../../src/testing/world.ts'
import { lineTo } from './line.ts'

const refusal = (code: string) => (error: unknown) => error instanceof ChatError && error.code === code

test("methods send path parameters, queries and forms and return the API's answer", async () => {
  await using w = await world()
  const { client } = lineTo(w, w.people.hamlet)
  const content = 'Grüße & "more" + 100 %'
  const { id, result } = await client.sendMessage({ type: 'stream', to: 'general', topic: 'true', content })
  assert.equal(result, 'success')
  const { raw_content, message } = await client.getMessage({ message_id: id })
  assert.equal(raw_content, content)
  assert.equal(message.subject, 'true')
  const narrow = [{ operator: 'topic', operand: 'true' }]
  const { messages } = await client.getMessages({ anchor: 'newest', num_before: 5, num_after: 0, narrow })
  assert.deepEqual(
    messages.map((one) => one.id),
    [id],
  )
  await client.deleteMessage({ message_id: id }).catch(() => {})
  await client.addAlertWords({ alert_words: ['plan'] })
  assert.deepEqual((await client.removeAlertWords({ alert_words: ['plan'] })).alert_words, [])
})

test('sends a file as a file', async () => {
  await using w = await world()
  const { client } = lineTo(w, w.people.iago)
  const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64') // cspell:disable-line
  await client.uploadCustomEmoji({ emoji_name: 'dot', filename: new Blob([gif], { type: 'image/gif' }) })
  const { emoji } = await client.listCustomEmoji()
  assert.deepEqual(
    Object.values(emoji).map((one) => one.name),
    ['dot'],
  )
})

test('throws a ChatError with code and data when the server rejects a request', async () => {
  await using w = await world()
  const { client } = lineTo(w, w.people.hamlet)
  const absent = client.sendMessage({ type: 'stream', to: 'nowhere', topic: 't', content: 'x' })
  await assert.rejects(absent, (error: ChatError) => {
    assert.equal(error.code, 'STREAM_DOES_NOT_EXIST')
    assert.equal(error.data.stream, 'nowhere')
    return true
  })
  const stranger = lineTo(w, { ...w.people.hamlet, key: 'x'.repeat(32) })
  await assert.rejects(stranger.client.getOwnUser(), refusal('INVALID_API_KEY'))
  await assert.rejects(client.getMessage({} as { message_id: number }), TypeError)
})

test('throws a ConnectionError when the server is unreachable or answers with a page', async () => {
  await using w = await world()
  const line = lineTo(w, w.people.hamlet)
  line.cut = true
  await assert.rejects(line.client.getOwnUser(), ConnectionError)
  const page = async () => new Response('<h1>502</h1>', { status: 502 })
  await assert.rejects(createClient({ url: 'http://localhost', fetch: page }).getServerSettings(), ConnectionError)
})

test('repeating a request with an idempotency key creates nothing twice', async () => {
  await using w = await world()
  const { client } = lineTo(w, w.people.hamlet)
  const snippet = { title: 'Bye', content: 'See you' }
  const first = await client.createSavedSnippet(snippet, { idempotencyKey: 'k' })
  const second = await client.createSavedSnippet(snippet, { idempotencyKey: 'k' })
  assert.equal(second.saved_snippet_id, first.saved_snippet_id)
})
