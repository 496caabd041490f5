import assert from 'node:assert/strict'
import test from 'node:test'
import { type Answer, world } from '../../src/testing/index.ts'

test('drops stop words from a search with other words and reports them', async () => {
  await using w = await world()
  const { hamlet } = w.people
  for (const text of ['the question is old', 'questions of style', 'what is it about']) await hamlet.says(text)
  const search = async (operand: string) => {
    const found: Answer = await hamlet.api.get('/messages', {
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      apply_markdown: false,
      narrow: [{ operator: 'search', operand }],
    })
    return found.messages.map((message: { content: string }) => message.content)
  }
  assert.deepEqual(await search('what is the question'), ['the question is old', 'questions of style'])
  assert.deepEqual(await search('"the question"'), ['the question is old'])
  assert.deepEqual(await search('"question is" about'), ['the question is old'])
  assert.deepEqual(await search('what about'), ['what is it about'])
  const { stop_words } = await hamlet.api.post('/register', { fetch_event_types: ['stop_words'] })
  assert.equal(stop_words.length, 149)
  assert.ok(stop_words.includes('about'))
})
