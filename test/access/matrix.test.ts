import assert from 'node:assert/strict'
import test from 'node:test'
import type { Answer, Person, World } from '../../src/testing/index.ts'
import { maySee, type Reader, readerOf, readers, type Sample, scene, streams } from './scene.ts'

interface Way {
  name: string
  ask(who: Person, id: number, sample: Sample, w: World): Promise<Answer>
  /** Whether the answer reveals the message; by default any answer that an absent message does not get. */
  reveals?(answer: Answer, id: number): boolean
  /** The answer reveals neighbouring messages, too. */
  around?: true
  /** People without an account may ask, too. */
  open?: true
  /** A permitted request would change what the next one reads. */
  not?: readonly Reader[]
}

const found = (answer: Answer, id: number) =>
  answer.messages?.some((message: { id: number }) => message.id === id) === true
/** Without it, a narrow only selects messages the user has, and not all they may see. */
const narrowTo = async (place: string, w: World) =>
  place in streams ? [{ operator: 'channel', operand: await w.streamId(place) }] : []
const one = { num_before: 0, num_after: 0 }
const at = (id: number) => ({ anchor: id, ...one })

const ways: readonly Way[] = [
  { name: 'get it', ask: (who, id) => who.api.get(`/messages/${id}`), open: true },
  {
    name: 'list it',
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
    async ask(who, _, { place, word }, w) {
      const narrow = [...(await narrowTo(place, w)), { operator: 'search', operand: word }]
      return who.api.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow })
    },
    reveals: found,
    open: true,
  },
  {
    name: 'match it',
    ask: async (who, id, { place }, w) =>
      who.api.get('/messages/matches_narrow', { msg_ids: [id], narrow: await narrowTo(place, w) }),
    reveals: (answer, id) => answer.messages !== undefined && String(id) in answer.messages,
  },
  { name: 'see its history', ask: (who, id) => who.api.get(`/messages/${id}/history`) },
  { name: 'see its receipts', ask: (who, id) => who.api.get(`/messages/${id}/read_receipts`) },
  { name: 'edit it', ask: (who, id) => who.api.patch(`/messages/${id}`, {}) },
  {
    name: 'change what it says',
    ask: (who, id) => who.api.patch(`/messages/${id}`, { content: 'x' }),
    not: ['hamlet'],
  },
  {
    name: 'move it',
    ask: (who, id) => who.api.patch(`/messages/${id}`, { stream_id: 999_999 }),
  },
  { name: 'delete it', ask: (who, id) => who.api.delete(`/messages/${id}`), not: ['iago', 'admin'] },
  { name: 'react to it', ask: (who, id) => who.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }) },
  {
    name: 'take a reaction off',
    ask: (who, id) => who.api.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
  },
  {
    name: 'attach to it',
    ask: (who, id) => who.api.post('/submessage', { message_id: id, msg_type: 'x', content: '{}' }),
    not: ['hamlet'],
  },
  {
    name: 'star it',
    ask: (who, id) => who.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
  },
  { name: 'report it', ask: (who, id) => who.api.post(`/messages/${id}/report`, { report_type: 'spam' }) },
  {
    name: 'be reminded of it',
    ask: (who, id) => who.api.post('/reminders', { message_id: id, scheduled_delivery_timestamp: 4_000_000_000 }),
  },
  {
    name: 'mark it unread',
    ask: (who, id) => who.api.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }),
  },
  {
    name: 'mark it read',
    ask: (who, id) => who.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }),
  },
  {
    name: 'flag it by a narrow',
    ask: (who, id) =>
      who.api.post('/messages/flags/narrow', {
        ...at(id),
        narrow: [{ operator: 'id', operand: id }],
        op: 'add',
        flag: 'collapsed',
      }),
    reveals: (answer) => answer.processed_count > 0,
  },
  {
    name: 'narrow with it',
    ask: (who, id) => who.api.get('/messages', { ...at(id), narrow: [{ operator: 'with', operand: id }] }),
    reveals: found,
  },
]

const ABSENT = 1_000_000

/** An answer without the values from the request: answers that differ only in those reveal the same. */
const anonymous = (answer: Answer, id: number, word: string) =>
  JSON.stringify(answer)
    .replace(new RegExp(`\\b${id}\\b`, 'g'), 'ID')
    .replaceAll(word, 'WORD')

test('the scene hides at least one sample from every reader but Hamlet', async () => {
  const { w, samples } = await scene()
  await using _ = w.chat
  assert.equal(samples.length, 15)
  for (const name of readers) assert.ok(samples.some((sample) => !maySee(name, sample)) || name === 'hamlet', name)
})

for (const way of ways) {
  test(`only readers of a message can ${way.name}; for others it does not exist`, async () => {
    const { w, samples } = await scene()
    await using _ = w.chat
    for (const name of readers) {
      const who = readerOf(w, name)
      for (const sample of samples) {
        const { id } = sample
        const sees = maySee(name, sample) && (name !== 'nobody' || way.open === true)
        if (sees && way.not?.includes(name)) continue
        const detail = `${name} ${sees ? 'can' : 'cannot'} ${way.name}: ${sample.place} ${sample.when ?? ''}`
        const answer = await way.ask(who, id, sample, w)
        const absent = await way.ask(who, ABSENT, { ...sample, word: 'zqnonewx' }, w)
        if (name === 'gone' || (name === 'nobody' && !way.open)) assert.equal(answer.status, 401, detail)
        const same = anonymous(answer, id, sample.word) === anonymous(absent, ABSENT, 'zqnonewx')
        const reveals = way.reveals?.(answer, id) ?? !same
        assert.equal(reveals, sees, `${detail}\n${JSON.stringify(answer)}`)
        if (!sees && !way.around)
          assert.ok(same, `${detail} alike\n${JSON.stringify(answer)}\n${JSON.stringify(absent)}`)
      }
    }
  })
}
