import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerOf, type Client, clientOf } from './client.ts'
import type { RunningProxy } from './start.ts'

const MIB = 1024 * 1024
/** Longer than a heartbeat, and than the one-minute default timeout of proxies. */
const LONG_MS = 65_000

export interface Served {
  credentials: string
  /** The access log so far. */
  requests(): { path: string; address?: string }[]
}

/** Tests everything that a client does, through a proxy. */
export async function checkProxy(proxy: RunningProxy, served: Served): Promise<void> {
  const client = clientOf(proxy.port, served.credentials)
  await Promise.all([addresses(proxy, client, served), uploads(client), longPoll(client), eventStream(client)])
  await limits(proxy)
}

/** Clients get the public address, and the log has the clients' addresses, whatever their headers claim. */
async function addresses({ name, port, accessLog }: RunningProxy, client: Client, { requests }: Served): Promise<void> {
  const { body } = await client.ask('GET', '/api/v1/server_settings')
  assert.equal(body.realm_url, 'https://chat.example.com')
  const lie = { 'x-forwarded-for': '192.0.2.66', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
  const other = clientOf(port, '', '127.0.0.9')
  const answered = await other.ask('GET', `/api/v1/server_settings?proxy=${name.length}`, undefined, { headers: lie })
  assert.equal(answered.body.realm_url, 'https://chat.example.com')
  await sleep(200)
  const logged = requests().filter(({ path }) => path.endsWith(`?proxy=${name.length}`))
  assert.deepEqual(
    logged.map(({ address }) => address),
    ['127.0.0.9'],
  )
  if (!accessLog) return
  const lines = readFileSync(accessLog, 'utf8')
  assert.match(lines, /GET \/api\/v1\/server_settings HTTP/)
  assert.doesNotMatch(lines, /proxy=/, 'queries are in the log, and with them the tokens of links')
}

/** Uploads of 25 MiB arrive. The server rejects larger ones with JSON. */
async function uploads(client: Client): Promise<void> {
  const path = '/api/v1/realm/emoji/large'
  const large = await client.ask('POST', path, new Blob([new Uint8Array(25 * MIB)]))
  // The server read all of it and found that it isn't an image.
  assert.deepEqual([large.status, large.body.result], [400, 'error'])
  assert.match(String(large.body.msg), /image/i)
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const larger = await answerOf(await client.open('POST', path, 28 * MIB, { headers }))
  assert.deepEqual([larger.status, larger.body.result], [413, 'error'])
}

const register = async (client: Client) => {
  const { body } = await client.ask('POST', '/api/v1/register', { event_types: '["message"]' })
  return { queue_id: String(body.queue_id), last_event_id: String(body.last_event_id) }
}
const send = (client: Client, content: string) =>
  client.ask('POST', '/api/v1/messages', { type: 'stream', to: 'general', topic: 'proxy', content })

/** A poll without news ends with a heartbeat, and a poll with news is answered immediately. */
async function longPoll(client: Client): Promise<void> {
  const { queue_id, last_event_id } = await register(client)
  const poll = (last: string) =>
    client.ask('GET', `/api/v1/events?${new URLSearchParams({ queue_id, last_event_id: last })}`)
  let last = last_event_id
  const began = performance.now()
  const quiet = await poll(last)
  const [heartbeat] = quiet.body.events as { type: string; id: number }[]
  // The other checks send no messages while it waits.
  assert.deepEqual([quiet.status, heartbeat?.type], [200, 'heartbeat'])
  assert.ok(performance.now() - began > 40_000, 'a poll was cut short')
  last = String(heartbeat!.id)
  const waiting = poll(last)
  await sleep(LONG_MS - (performance.now() - began))
  const sent = performance.now()
  await send(client, 'to the poll')
  const { body } = await waiting
  assert.equal((body.events as { type: string }[])[0]?.type, 'message')
  assert.ok(performance.now() - sent < 1000, 'news came late through a poll')
}

/** An event stream isn't buffered, and stays open after a minute without news. */
async function eventStream(client: Client): Promise<void> {
  const began = performance.now()
  const res = await client.open('GET', '/api/v1/events/stream?event_types=%5B%22message%22%5D')
  assert.equal(res.statusCode, 200)
  let text = ''
  res.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  await sleep(1000)
  assert.match(text, /^id: /, 'the beginning of a stream was kept back')
  await sleep(LONG_MS + 3000 - (performance.now() - began))
  assert.match(text, /: heartbeat/)
  await send(client, 'to the stream')
  await sleep(1000)
  assert.match(text, /to the stream/, 'news came late through a stream')
  res.destroy()
}

/** Each client's address has a limit of its own. */
async function limits({ port }: RunningProxy): Promise<void> {
  const [one, two] = [clientOf(port, '', '127.0.0.3'), clientOf(port, '', '127.0.0.4')]
  const ask = async (client: Client) => (await client.ask('GET', '/api/v1/server_settings')).status
  const statuses: number[] = []
  for (let i = 0; i < 21; i++) statuses.push(await ask(one))
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [20, 429])
  assert.equal(await ask(two), 200)
}
