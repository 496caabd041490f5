import assert from 'node:assert/strict'
import test from 'node:test'
import { planOf } from '../../bench/plans.ts'
import { unreadScans } from '../../src/core/narrow/sources.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { type Term, talk } from './talk.ts'

const w = await talk()
test.after(() => w.chat.close())

const narrows: (readonly [operator: Term[0], operand: Term[1]])[][] = [
  [],
  [['channel', 'general']],
  [
    ['channel', 'general'],
    ['topic', 'lunch'],
  ],
  [['channels', 'public']],
  [['topic', 'lunch']],
  [['dm', [w.iago.id]]],
  [['dm-including', [w.iago.id]]],
  [['sender', 'me']],
  [['id', 5]],
  [['in', 'home']],
  ...['dm', 'alerted', 'mentioned', 'starred', 'unread', 'read', 'resolved', 'followed', 'muted'].map((operand) => [
    ['is', operand] as const,
  ]),
  ...['link', 'image', 'attachment', 'reaction'].map((operand) => [['has', operand] as const]),
  [['search', 'deployment plan']],
  [['search', 'de']],
  [['search', 'd']],
  [
    ['channel', 'general'],
    ['search', 'plan'],
  ],
  [
    ['sender', 'me'],
    ['has', 'link'],
  ],
]

for (const terms of narrows) {
  test(`reads ${JSON.stringify(terms)} through an index`, onlyOnSqlite('looks at its query plans'), async () => {
    const plan = await planOf(w.hamlet, terms)
    assert.ok(
      plan.some((step) => step.startsWith('SEARCH message ')),
      plan.join('\n'),
    )
    assert.deepEqual(
      plan.filter((step) => /^SCAN (message|m|topic_id|reaction|mine|given)\b(?!_search)/.test(step)),
      [],
    )
    // Messages are found in the order of their ids: nothing is sorted, but for what is unread in one window.
    const isUnread = terms.some(([, operand]) => operand === 'unread')
    assert.equal(plan.filter((step) => step.includes('TEMP B-TREE FOR ORDER BY')).length, isUnread ? 1 : 0)
    const inGaps = 'SEARCH message USING INDEX message_conversation (conversation_id=? AND id>? AND id<?)'
    if (isUnread) assert.ok(plan.includes(inGaps), plan.join('\n'))
  })
}

test('searches all gaps between read ranges together for unread messages', async () => {
  const scans = await unreadScans(w.hamlet)
  assert.ok(scans.some((scan) => scan.by === 'own_unread'))
  const gaps = scans.flatMap((scan) => (scan.by === 'gaps' ? scan.gaps : []))
  assert.ok(gaps.length >= 4)
})
