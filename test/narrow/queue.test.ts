import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type Person, world } from '../../src/testing/world.ts'

/** A queue with a narrow, and the events it has received since. */
async function listen(who: Person, narrow: unknown, more: object = {}) {
  const { status, queue_id, msg } = await who.api.post('/register', {
    narrow,
    event_types: ['message'],
    ...more,
  } as never)
  assert.equal(status, 200, msg)
  let last_event_id = -1
  return async (): Promise<(number | string)[]> => {
    const { events } = await who.api.get('/events', { queue_id, last_event_id, dont_block: true })
    last_event_id = events.at(-1)?.id ?? last_event_id
    return events.map((event: { type: string; message?: { id: number } }) => event.message?.id ?? event.type)
  }
}

test('a queue gets the messages of its narrow', async () => {
  await using w = await world({ streams: { design: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const queues = {
    topic: await listen(hamlet, [
      ['stream', 'general'],
      ['topic', 'LUNCH'],
    ]),
    other: await listen(hamlet, [{ operator: 'topic', operand: 'lunch', negated: true }]),
    sender: await listen(hamlet, [
      ['sender', 'iago@example.com'],
      ['is', 'private'],
    ]),
    mentions: await listen(hamlet, [['is', 'mentioned']]),
    unread: await listen(hamlet, [['is', 'unread']]),
    links: await listen(hamlet, [
      ['has', 'link'],
      ['channel', 'design'],
    ]),
    search: await listen(hamlet, [['search', 'soup']]),
    empty: await listen(hamlet, [['topic', '']]),
    all: await listen(hamlet, []),
  }
  const lunch = (await iago.says('soup?', { topic: 'lunch' })).id
  const mention = (await iago.says('@**hamlet** soup', { topic: 'dinner' })).id
  const link = (await iago.says('https://example.com', { stream: 'design', topic: 'lunch' })).id
  const dm = (await iago.says('for you', { people: [hamlet] })).id
  const own = (await hamlet.says('mine', { topic: '' })).id
  const received = Object.fromEntries(
    await Promise.all(Object.entries(queues).map(async ([name, queue]) => [name, await queue()])),
  )
  assert.deepEqual(received, {
    topic: [lunch],
    other: [mention, dm, own],
    sender: [dm],
    mentions: [mention],
    unread: [lunch, mention, link, dm],
    links: [link],
    search: [lunch, mention],
    empty: [own],
    all: [lunch, mention, link, dm, own],
  })
})

test('a narrow by name survives a rename', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const queue = await listen(hamlet, [['channel', 'general']])
  const general = await w.streamId('general')
  await storeOf(w.chat).write(({ db }) =>
    db.updateTable('stream').set({ name: 'g', name_key: 'g' }).where('id', '=', general).execute(),
  )
  const { id } = await iago.says('hello', { stream: 'g' })
  assert.deepEqual(await queue(), [id])
})

test("a narrow doesn't affect other events", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const queue = await listen(hamlet, [['topic', 'nothing']], { event_types: ['message', 'reaction'] })
  const { id } = await iago.says('hello')
  await iago.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  assert.deepEqual(await queue(), ['reaction'])
})

test('rejects a queue with an invalid narrow', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['iago'] } } })
  const { api } = w.people.hamlet
  const rows = [
    [[['odd', 'x']], 'BAD_REQUEST', 'Operator odd not supported.'],
    [[['channel', 'nowhere']], 'BAD_NARROW', 'Invalid narrow operator: unknown channel'],
    [[['channel', 'secret']], 'BAD_NARROW', 'Invalid narrow operator: unknown channel'],
    [[['is', 'odd']], 'BAD_NARROW', "Invalid narrow operator: unknown 'is' operand odd"],
  ] as const
  for (const [narrow, code, msg] of rows) {
    const answer = await api.post('/register', { narrow })
    assert.deepEqual([answer.status, answer.code, answer.msg], [400, code, msg])
  }
})

test('a queue whose stream became hidden gets other events but no messages', async () => {
  await using w = await world({ streams: { secret: { private: true, members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const narrow = [['stream', 'secret']]
  const next = await listen(hamlet, narrow, { event_types: ['message', 'alert_words'] })
  const { id } = await iago.says('seen', { stream: 'secret' })
  assert.deepEqual(await next(), [id])
  await hamlet.api.delete('/users/me/subscriptions', { subscriptions: ['secret'] })
  await iago.says('not seen', { stream: 'secret' })
  await hamlet.api.post('/users/me/alert_words', { alert_words: ['ghost'] })
  assert.deepEqual(await next(), ['alert_words'])
})
