import assert from 'node:assert/strict'
import test from 'node:test'
import { isInNarrow } from '../../src/client/messages/narrow.ts'
import { world } from '../../src/testing/index.ts'
import { follow } from '../../src/testing/verify-events.ts'

test('the client evaluates conversations and streams as the server does', async () => {
  await using w = await world({ streams: { verona: { members: ['iago', 'hamlet'] } } })
  const { hamlet, iago, cordelia } = w.people
  const { state } = await follow(() => hamlet)
  const ids = [
    (await iago.says('to both', { people: [hamlet, cordelia] })).id,
    (await iago.says('to one', { people: [hamlet] })).id,
    (await hamlet.says('to myself', { people: [hamlet] })).id,
    (await iago.says('to all', { stream: 'verona', topic: 'Plans' })).id,
  ]
  const { messages } = await hamlet.api.get('/messages', { message_ids: ids })
  const narrows = [
    { operator: 'dm', operand: [iago.id, cordelia.id] },
    { operator: 'dm', operand: [cordelia.id, hamlet.id, iago.id] },
    { operator: 'dm', operand: [iago.id] },
    { operator: 'pm-with', operand: [cordelia.id] },
    { operator: 'dm', operand: [hamlet.id] },
    { operator: 'channel', operand: 'Verona' },
    { operator: 'channel', operand: await w.streamId('verona') },
    { operator: 'topic', operand: 'plans' },
    { operator: 'sender', operand: iago.id },
    { operator: 'is', operand: 'dm' },
  ] as const
  for (const term of narrows) {
    const { messages: found } = await hamlet.api.get('/messages/matches_narrow', {
      msg_ids: ids,
      narrow: [{ ...term, negated: false }],
    })
    const judged = messages.filter((message: never) => isInNarrow(message, [term], state))
    assert.deepEqual(
      judged.map((message: { id: number }) => message.id),
      Object.keys(found).map(Number),
      JSON.stringify(term),
    )
  }
})
