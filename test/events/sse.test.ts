import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busOf } from '../../src/core/events/log/bus.ts'
import { register } from '../../src/index.ts'
import { emptyServer } from '../../src/testing/server.ts'
import { world } from '../../src/testing/world.ts'
import { eventually } from '../eventually.ts'

interface Block {
  id?: string
  event?: string
  data?: string
}

/** Reads blocks of an event stream until there are as many with data as wanted. */
async function read(response: Response, wanted: number): Promise<Block[]> {
  const blocks: Block[] = []
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (blocks.filter((block) => block.data).length < wanted) {
    const { value, done } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop()!
    for (const part of parts) {
      blocks.push(
        Object.fromEntries(
          part
            .split('\n')
            .filter((line) => !line.startsWith(':'))
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        ),
      )
    }
  }
  await reader.cancel()
  return blocks
}

test('an event stream resumes where it broke off', async () => {
  await using w = await world()
  await using server = await emptyServer({ chat: w.chat })
  const { iago, hamlet } = w.people
  const authorization = `Basic ${Buffer.from(`${hamlet.email}:${hamlet.key}`).toString('base64')}`
  const open = (query: string, headers = {}) =>
    fetch(`${server.url}/api/v1/events/stream${query}`, { headers: { authorization, ...headers } })
  const first = await open(`?event_types=${encodeURIComponent('["message"]')}`)
  assert.equal(first.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  // It ends with its connection instead of a last chunk.
  assert.equal(first.headers.get('transfer-encoding'), null)
  assert.equal(first.headers.get('connection'), 'close')
  await iago.says('one\n\nid: 7:7\nevent: forged')
  const [block] = (await read(first, 1)).filter((one) => one.data)
  assert.equal(block!.event, 'message')
  assert.equal(JSON.parse(block!.data!).message.content, 'one\n\nid: 7:7\nevent: forged')

  await iago.says('two')
  await iago.says('three')
  const again = await open('', { 'last-event-id': block!.id! })
  const contents = (await read(again, 2)).filter((one) => one.data).map((one) => JSON.parse(one.data!).message.content)
  assert.deepEqual(contents, ['two', 'three'])

  const lost = await open('?queue_id=nosuch')
  assert.equal(lost.status, 400)
  assert.equal(((await lost.json()) as { code: string }).code, 'BAD_EVENT_QUEUE_ID')
  assert.equal((await open('', { authorization: 'Basic eDp5' })).status, 401)
})

test('an event stream continues after more than the buffer of its socket holds', async () => {
  await using w = await world()
  await using server = await emptyServer({ chat: w.chat })
  const { iago, hamlet } = w.people
  const authorization = `Basic ${Buffer.from(`${hamlet.email}:${hamlet.key}`).toString('base64')}`
  const { queue_id } = await register(hamlet, { event_types: ['message'], fetch_event_types: [] })
  for (let i = 0; i < 8; i++) await iago.says('long '.repeat(1999))
  const stream = await fetch(`${server.url}/api/v1/events/stream?queue_id=${queue_id}`, { headers: { authorization } })
  const reading = read(stream, 9)
  await eventually('the stream waits', () => busOf(w.chat).waiting() === 1)
  await iago.says('last')
  const contents = (await reading).filter((one) => one.data).map((one) => JSON.parse(one.data!).message.content)
  assert.deepEqual(contents.slice(7), [contents[0], 'last'])
})

test('an event stream ends with its key', async () => {
  await using w = await world()
  await using server = await emptyServer({ chat: w.chat })
  const { iago, hamlet } = w.people
  const authorization = `Basic ${Buffer.from(`${hamlet.email}:${hamlet.key}`).toString('base64')}`
  const stream = await fetch(`${server.url}/api/v1/events/stream`, { headers: { authorization } })
  const reading = read(stream, 1)
  await hamlet.api.post('/users/me/api_key/regenerate')
  await iago.says('not for that key')
  const blocks = (await reading).filter((block) => block.data)
  assert.deepEqual(
    blocks.map(({ event, data }) => [event, JSON.parse(data!).code]),
    [['end', 'INVALID_API_KEY']],
  )
})
