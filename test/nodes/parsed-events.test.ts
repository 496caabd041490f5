import assert from 'node:assert/strict'
import test from 'node:test'
import { sql } from 'kysely'
import { storeOf } from '../../src/core/kernel/store.ts'
import { getEvents, register } from '../../src/index.ts'
import { eventually } from '../eventually.ts'
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

test("a node survives another node's event that it can't parse", needsServer, async () => {
  const errors: string[] = []
  const nothing = () => {}
  const logger = { info: nothing, warn: nothing, error: (_: object, message: string) => void errors.push(message) }
  await using c = await cluster(2, { chat: { logger, pushService: 'https://push.example.com' } })
  const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
  const { queue_id, last_event_id } = await register(there, { event_types: ['message'] })
  const waiting = getEvents(there, { queue_id, last_event_id })
  const ended = waiting.then(
    () => 'answered',
    () => 'failed',
  )
  await storeOf(c.nodes[0]!).write(({ db }) =>
    sql`insert into event (id, type, payload, audience, created_at)
      select max(id) + 1, 'delete_message', '{', '{', max(created_at) from event`.execute(db),
  )
  await eventually('the node has seen it', () => errors.includes('waking a reader of events failed'))
  await say(here, 'The reader waits for this.')
  assert.match(await ended, /answered|failed/)
  assert.ok(await say(there, 'The node still sends.'))
})
