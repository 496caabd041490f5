import assert from 'node:assert/strict'
import test from 'node:test'
import { newest, post, withWebhook } from './receive.ts'

const deliveriesOf = async (w: Awaited<ReturnType<typeof withWebhook>>['w'], bot_id: number) =>
  (await w.people.hamlet.api.get(`/bots/${bot_id}/deliveries`)).deliveries

test('lists what became of the last 20 deliveries of a bot, to people who manage it', async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  const path = `json?api_key=${key}&stream=general`
  const { id } = await post(w, path, { json: { a: 1 } })
  assert.equal((await post(w, path, { form: { payload: '{"a":' } })).code, 'INVALID_JSON')
  const [failed, sent] = await deliveriesOf(w, bot_id)
  assert.deepEqual([failed.outcome, failed.detail, failed.payload], ['failed', 'Malformed JSON', '{"a":'])
  assert.deepEqual([sent.outcome, sent.message_id, sent.payload, sent.integration], ['sent', id, '{"a":1}', 'json'])
  for (let i = 0; i < 25; i++) await post(w, path, { json: { i } })
  const all = await deliveriesOf(w, bot_id)
  assert.deepEqual([all.length, all[0].payload, all[19].payload], [20, '{"i":24}', '{"i":5}'])
  const other = await w.people.cordelia.api.get(`/bots/${bot_id}/deliveries`)
  assert.deepEqual([other.status, other.code], [400, 'BAD_REQUEST'])
})

test('forgets payloads after a day', async () => {
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  await post(w, `json?api_key=${key}&stream=general`, { json: { a: 1 } })
  w.clock.advance(86_400_000 + 600_000)
  const [delivery] = await deliveriesOf(w, bot_id)
  assert.deepEqual([delivery.outcome, delivery.payload], ['sent', null])
})

test('rejects unknown integrations and payloads that nest too deeply', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const unknown = await post(w, `pigeon?api_key=${key}`, { json: {} })
  assert.deepEqual([unknown.status, unknown.msg], [400, 'There is no integration "pigeon".'])
  const deep = await post(w, `json?api_key=${key}&stream=general`, { form: { payload: '['.repeat(5000) } })
  assert.deepEqual([deep.status, deep.msg], [400, 'A payload must not nest deeper than 32 levels'])
})

test('tells the owner about a missing channel at most once an hour', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const send = () => post(w, `json?api_key=${key}&stream=nowhere`, { json: { a: 1 } })
  const notified = async () => {
    const { messages } = await w.people.hamlet.api.get('/messages', {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      narrow: '[]',
    })
    return messages.filter(({ content }: { content: string }) => content.includes('specified a channel')).length
  }
  assert.equal((await send()).code, 'STREAM_DOES_NOT_EXIST')
  assert.equal((await newest(w)).sender_full_name, 'Notification Bot')
  await send()
  assert.equal(await notified(), 1)
  w.clock.advance(3_600_000)
  await send()
  assert.equal(await notified(), 2)
})
