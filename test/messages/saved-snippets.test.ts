import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../src/testing/world.ts'

test('creates, edits and deletes snippets with an event each', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { queue_id, last_event_id } = await hamlet.api.post('/register', { fetch_event_types: ['saved_snippets'] })
  const { saved_snippet_id: id } = await hamlet.api.post('/saved_snippets', {
    title: ' Thanks ',
    content: ' Thank *you* ',
  })
  const snippet = { id, title: 'Thanks', content: 'Thank *you*', date_created: Math.floor(w.clock.now() / 1000) }
  assert.deepEqual((await hamlet.api.get('/saved_snippets')).saved_snippets, [snippet])
  await hamlet.api.patch(`/saved_snippets/${id}`, { title: 'Cheers' })
  // Nothing changed, so there is no event.
  assert.equal((await hamlet.api.patch(`/saved_snippets/${id}`)).result, 'success')
  await hamlet.api.delete(`/saved_snippets/${id}`)
  const { events } = await hamlet.api.get('/events', { queue_id, last_event_id, dont_block: true })
  assert.deepEqual(
    events.map(({ id: _, type: __, ...event }: { id: number; type: string }) => event),
    [
      { op: 'add', saved_snippet: snippet },
      { op: 'update', saved_snippet: { ...snippet, title: 'Cheers' } },
      { op: 'remove', saved_snippet_id: id },
    ],
  )
})

test('only its author can see or change a snippet', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { saved_snippet_id: id } = await hamlet.api.post('/saved_snippets', { title: 'Mine', content: 'x' })
  for (const answer of [
    await iago.api.patch(`/saved_snippets/${id}`, { title: 'Theirs' }),
    await iago.api.delete(`/saved_snippets/${id}`),
  ]) {
    assert.deepEqual([answer.status, answer.code, answer.msg], [404, 'BAD_REQUEST', 'Saved snippet does not exist.'])
  }
  assert.deepEqual((await iago.api.get('/saved_snippets')).saved_snippets, [])
})

test('limits titles, texts and the number of snippets', async () => {
  await using w = await world()
  const { hamlet } = w.people
  for (const [params, msg] of [
    [{ title: ' ', content: 'x' }, 'title cannot be blank'],
    [{ title: 'x'.repeat(61), content: 'x' }, 'title is too long (limit: 60 characters)'],
    [{ title: 'x', content: '' }, 'content cannot be blank'],
    [{ title: 'x', content: 'x'.repeat(10_001) }, 'content is too long (limit: 10000 bytes)'],
  ] as const) {
    const answer = await hamlet.api.post('/saved_snippets', params)
    assert.deepEqual([answer.status, answer.msg], [400, msg])
  }
  const rows = Array.from({ length: 1000 }, () => ({ user_id: hamlet.id, title: 'x', content: 'x', created_at: 0 }))
  await hamlet.write(({ db }) => db.insertInto('saved_snippet').values(rows).execute())
  const full = await hamlet.api.post('/saved_snippets', { title: 'x', content: 'x' })
  assert.equal(full.msg, 'Too many saved snippets; at most 1000 per user')
})
