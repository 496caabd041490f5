import assert from 'node:assert/strict'
import { Server } from 'node:http'
import test from 'node:test'
import * as v from 'valibot'
import { busOf } from '../../src/core/events/log/bus.ts'
import { action } from '../../src/core/kernel/action.ts'
import { openChat } from '../../src/core/open-chat.ts'
import { createChatServer } from '../../src/http/server.ts'
import { emptyServer } from '../../src/testing/server.ts'
import { eventually } from '../eventually.ts'
import { type Json, onBothTargets, ownerOf } from './targets.ts'

const signals: AbortSignal[] = []
const waiting = action(
  { name: 'waiting', summary: 'Wait', params: v.object({}), result: v.any() },
  async ({ signal }) => {
    if (!signal) return { waited: false }
    signals.push(signal)
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    return { waited: true }
  },
)
const routes = { '/wait': { GET: waiting, POST: waiting } }
/** Runs what sends a request that waits, and resolves when it has reached its action. */
async function begun<T>(send: () => T): Promise<{ answer: T; signal: AbortSignal }> {
  const before = signals.length
  const answer = send()
  await eventually('the request waits', () => signals.length > before)
  return { answer, signal: signals.at(-1)! }
}

onBothTargets('a wait ends when its client goes', { routes }, async ({ server, ask }) => {
  const { authorization } = await ownerOf(server)
  const controller = new AbortController()
  const { answer, signal } = await begun(() =>
    ask('/wait', { headers: { authorization }, signal: controller.signal }).catch(() => 'aborted'),
  )
  assert.equal(signal.aborted, false)
  controller.abort()
  await answer
  await eventually('the wait has ended', () => signal.aborted)
  assert.deepEqual(server.log, [])
})

onBothTargets('a change is not aborted when its client disconnects', { routes }, async ({ server, ask }) => {
  const { authorization } = await ownerOf(server)
  assert.equal((await ask('/wait', { method: 'POST', headers: { authorization } })).body.waited, false)
})

test('delivers events by long poll and answers waiting polls on close', async () => {
  const server = await emptyServer()
  const { authorization } = await ownerOf(server)
  const headers = { authorization }
  const api = async (path: string, init?: RequestInit) =>
    (await fetch(`${server.url}/api/v1${path}`, { headers, ...init })).json() as Promise<Json>
  const { queue_id, last_event_id } = await api('/register', { method: 'POST' })
  const poll = api(`/events?queue_id=${queue_id}&last_event_id=${last_event_id}`)
  await eventually('the poll waits', () => busOf(server.chat).waiting() === 1)
  const { id } = await api('/messages', {
    method: 'POST',
    body: new URLSearchParams({ type: 'stream', to: 'general', topic: 't', content: 'hello' }),
  })
  const { events } = await poll
  assert.ok(events.some((event: Json) => event.type === 'message' && event.message.id === id))

  const polls = Array.from({ length: 5 }, async () => {
    const { queue_id, last_event_id } = await api('/register', { method: 'POST' })
    const response = await fetch(`${server.url}/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`, {
      headers,
    })
    assert.equal(response.headers.get('connection'), 'close')
    return response.json() as Promise<Json>
  })
  await eventually('all wait', () => busOf(server.chat).waiting() === polls.length)
  // Those who are not answered are cut off after a while.
  await server.close()
  for (const answer of await Promise.all(polls)) assert.equal(answer.result, 'success')
  await assert.rejects(fetch(server.url))
})

test('closing the server leaves a chat open that was already open', async () => {
  await using chat = await openChat({ passwordCost: 4 })
  const first = await createChatServer({ chat, routes })
  const owner = await ownerOf(first as never)
  const headers = { authorization: owner.authorization }
  const { answer: wait } = await begun(() => fetch(`${first.url}/api/v1/wait`, { headers }))
  await first.close()
  assert.equal((await wait).status, 200)
  assert.equal(busOf(chat).closed, false)
  await using second = await createChatServer({ chat, routes })
  assert.equal((await fetch(`${second.url}/api/v1/wait`, { method: 'POST', headers })).status, 200)
})

test("can be closed twice, and an idle connection doesn't delay it", async (t) => {
  // The end of the grace period would cut the connection.
  t.mock.method(Server.prototype, 'closeAllConnections', () => {})
  const server = await emptyServer({ routes })
  assert.equal((await fetch(`${server.url}/api/v1/wait`)).status, 401)
  await Promise.all([server.close(), server.close()])
})

test('fails when the port is taken and leaves nothing open', async () => {
  await using server = await emptyServer({ routes })
  await assert.rejects(emptyServer({ routes, port: server.port }), { code: 'EADDRINUSE' })
})
