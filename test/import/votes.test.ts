import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { world } from '../../src/testing/index.ts'
import { ArchiveFolder, importInto, jsonLines } from './archives.ts'

const step = (user: string, content: object | string) => ({
  user,
  content: typeof content === 'string' ? content : JSON.stringify(content),
})
const user = (id: string) => ({ type: 'user', id, name: `Voter ${id}`, email: `${id}@example.com` })
const poll = (id: string, content: string, widget: object[]) => ({
  type: 'message',
  id,
  user: 'ann',
  date: 1_700_000_000 + Number(id),
  channel: 'c',
  topic: 'polls',
  content,
  widget,
})

test('imports votes with the people who voted, and leaves out what no client can read', async () => {
  await using w = await world()
  const records = [
    user('ann'),
    user('bob'),
    { type: 'channel', id: 'c', name: 'lunch' },
    poll('1', '/poll Soup?\nyes', [
      step('bob', { type: 'new_option', idx: 1, option: 'later' }),
      step('ann', { type: 'vote', key: 'bob,1', vote: 1 }),
      step('bob', { type: 'vote', key: 'canned,0', vote: 1 }),
      step('bob', '{'),
    ]),
    poll('2', 'a poll of a bot', [
      step('ann', { widget_type: 'poll', extra_data: { question: 'Salad?', options: ['no'] } }),
      step('bob', { type: 'vote', key: 'canned,0', vote: 1 }),
    ]),
    poll('3', 'no poll at all', [step('bob', { type: 'vote', key: 'canned,0', vote: 1 })]),
  ]
  using archive = new ArchiveFolder({ 'votes.jsonl': jsonLines(...records) })
  const { report } = await importInto(w.chat, archive, { into: true })
  assert.equal(report.imported.vote, 4)
  const { db } = storeOf(w.chat)
  const rows = await db
    .selectFrom('submessage')
    .innerJoin('user', 'user.id', 'submessage.sender_id')
    .select(['user.delivery_email', 'submessage.content', 'submessage.sender_id'])
    .orderBy('submessage.id')
    .execute()
  const bob = rows.find(({ delivery_email }) => delivery_email === 'bob@example.com')!.sender_id
  assert.deepEqual(
    rows.map(({ delivery_email, content }) => [delivery_email.split('@')[0], JSON.parse(content)]),
    [
      ['ann', { widget_type: 'poll', extra_data: { question: 'Soup?', options: ['yes'] } }],
      ['bob', { type: 'new_option', idx: 1, option: 'later' }],
      ['ann', { type: 'vote', key: `${bob},1`, vote: 1 }],
      ['bob', { type: 'vote', key: 'canned,0', vote: 1 }],
      ['ann', { widget_type: 'poll', extra_data: { question: 'Salad?', options: ['no'] } }],
      ['bob', { type: 'vote', key: 'canned,0', vote: 1 }],
    ],
  )
  const left = report.left_out.filter(({ kind }) => kind === 'vote')
  assert.deepEqual(left.map(({ reason, count }) => [reason, count]).toSorted(), [
    ['it is malformed', 1],
    ['its message starts no poll', 1],
  ])
})
