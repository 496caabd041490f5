import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import { listStreams, register, subscribe } from '../../src/index.ts'
import { world } from '../../src/testing/index.ts'

test('builds a long list in parts, identical to the in-process answer', async () => {
  await using w = await world()
  const { iago } = w.people
  const subscriptions = Array.from({ length: 700 }, (_, i) => ({ name: `stream “${i}”` }))
  await subscribe(iago, { subscriptions })
  const app = createApp({ chat: w.chat, rateLimit: false })
  const authorization = `Basic ${Buffer.from(`${iago.email}:${iago.key}`).toString('base64')}`
  const get = (path: string) => app.fetch(new Request(`http://localhost/api/v1${path}`, { headers: { authorization } }))
  const long = await get('/streams?nonsense=1')
  assert.equal(long.headers.get('content-length'), null)
  const { streams } = await listStreams(iago)
  const rest = { result: 'success', msg: '', ignored_parameters_unsupported: ['nonsense'] }
  assert.deepEqual(await long.json(), { ...rest, streams })
  // register's lists are cached texts.
  const { streams: kept, subscriptions: own } = await register(iago, { fetch_event_types: ['stream', 'subscription'] })
  assert.deepEqual(kept, streams)
  assert.equal(own!.length, 701)
  const members = (await app
    .fetch(
      new Request('http://localhost/api/v1/register', {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ fetch_event_types: '["stream","subscription"]' }),
      }),
    )
    .then((response) => response.json())) as { streams: object[]; subscriptions: object[] }
  assert.deepEqual(members.streams, streams)
  assert.deepEqual(members.subscriptions, own)
})

test('builds a list of a few long items in parts', async () => {
  await using w = await world()
  const { iago } = w.people
  for (let i = 0; i < 60; i++) await iago.says('x'.repeat(10_000))
  const app = createApp({ chat: w.chat, rateLimit: false })
  const authorization = `Basic ${Buffer.from(`${iago.email}:${iago.key}`).toString('base64')}`
  const partsOf = async (num_before: number) => {
    const path = `http://localhost/api/v1/messages?anchor=newest&num_before=${num_before}&num_after=0`
    const { body } = await app.fetch(new Request(path, { headers: { authorization } }))
    const parts: Uint8Array[] = []
    for await (const part of body!) parts.push(part)
    const { messages } = JSON.parse(Buffer.concat(parts).toString())
    assert.equal(messages.length, num_before)
    return parts.length
  }
  assert.equal(await partsOf(9), 1)
  assert.ok((await partsOf(59)) > 5)
})
