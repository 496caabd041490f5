import assert from 'node:assert/strict'
import test from 'node:test'
import { at, found, narrowTo, testWays } from './matrix.ts'
import { maySee, readers, scene } from './scene.ts'

test('the scene hides at least one sample from every reader but Hamlet', async () => {
  const { w, samples } = await scene()
  await using _ = w.chat
  assert.equal(samples.length, 15)
  for (const name of readers) assert.ok(samples.some((sample) => !maySee(name, sample)) || name === 'hamlet', name)
})

testWays([
  { name: 'get it', ask: (who, id) => who.api.get(`/messages/${id}`), open: true },
  {
    name: 'list it',
    placed: true,
    ask: async (who, id, { place }, w) =>
      who.api.get('/messages', { message_ids: [id], narrow: await narrowTo(place, w) }),
    reveals: found,
    open: true,
  },
  {
    name: 'narrow to its id',
    ask: (who, id) => who.api.get('/messages', { ...at(id), narrow: [{ operator: 'id', operand: id }] }),
    reveals: found,
  },
  {
    name: 'narrow to its place',
    placed: true,
    ask: async (who, id, { place }, w) => who.api.get('/messages', { ...at(id), narrow: await narrowTo(place, w) }),
    reveals: found,
    around: true,
    open: true,
  },
  {
    name: 'read on from it',
    ask: (who, id) =>
      who.api.get('/messages', {
        ...at(id),
        num_before: 500,
        num_after: 500,
        narrow: [{ operator: 'id', operand: id }],
      }),
    reveals: found,
  },
  {
    name: 'search for it',
    placed: true,
    async ask(who, _, { place, word }, w) {
      const narrow = [...(await narrowTo(place, w)), { operator: 'search', operand: word }]
      return who.api.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow })
    },
    reveals: found,
    open: true,
  },
  {
    name: 'match it',
    placed: true,
    ask: async (who, id, { place }, w) =>
      who.api.get('/messages/matches_narrow', { msg_ids: [id], narrow: await narrowTo(place, w) }),
    reveals: (answer, id) => answer.messages !== undefined && String(id) in answer.messages,
  },
  { name: 'see its history', ask: (who, id) => who.api.get(`/messages/${id}/history`) },
  { name: 'see its receipts', ask: (who, id) => who.api.get(`/messages/${id}/read_receipts`) },
  {
    name: 'narrow with it',
    ask: (who, id) => who.api.get('/messages', { ...at(id), narrow: [{ operator: 'with', operand: id }] }),
    reveals: found,
  },
])
