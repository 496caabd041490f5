import assert from 'node:assert/strict'
import test from 'node:test'
import { getEvents, register } from '../../src/index.ts'
import { say } from './appending.ts'
import { cluster, needsServer } from './nodes.ts'

test('a node parses the messages of other nodes only for readers of its own', needsServer, async (t) => {
  await using c = await cluster(2)
  const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
  const parse = t.mock.method(JSON, 'parse')
  // The sender's contract is checked with all fields. The log leaves this one out.
  const parsed = (content: string) =>
    parse.mock.calls
      .map((call) => String(call.arguments[0]))
      .filter((text) => text.includes(content) && !text.includes('rendered_content'))
  await say(here, 'Nobody waits for this.')
  // The write begins with what the other node has sent.
  await say(there, 'Neither for this.')
  assert.deepEqual(parsed('Nobody waits'), [])
  const { queue_id, last_event_id } = await register(there, { event_types: ['message'] })
  const waiting = getEvents(there, { queue_id, last_event_id })
  await say(here, 'Hamlet waits for this.')
  const { events } = await waiting
  assert.deepEqual(
    events.map((event) => event.type === 'message' && event.message.content),
    ['Hamlet waits for this.'],
  )
})
