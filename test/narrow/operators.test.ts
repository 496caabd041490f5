import assert from 'node:assert/strict'
import test from 'node:test'
import { check } from '../../src/core/kernel/check.ts'
import { narrow } from '../../src/core/narrow/operators/terms.ts'
import type { Person } from '../../src/testing/world.ts'
import { found, type Term, talk } from './talk.ts'

const w = await talk()
test.after(() => w.chat.close())
const { hamlet, iago, cordelia, polonius, ophelia } = w
const names = (ids: readonly number[]) =>
  Object.entries(w.said)
    .filter(([, id]) => ids.includes(id))
    .map(([name]) => name)

/** The reader, the narrow, and the names of the messages found; the server's own welcome messages are left out. */
const rows: [Person, Term[], string[]][] = [
  [hamlet, [['channel', 'secret']], ['secret', 'secretLater']],
  [cordelia, [['stream', 'secret']], ['secretLater']],
  [hamlet, [['stream', 'DESIGN']], ['design', 'designImage', 'designLater']],
  [ophelia, [['channel', 'design']], ['design', 'designImage', 'designLater']],
  [
    hamlet,
    [
      ['channels', 'public'],
      ['topic', 'lunch'],
    ],
    ['all', 'mention', 'designImage'],
  ],
  [polonius, [['streams', 'public']], []],
  [hamlet, [['streams', 'web-public']], []],
  [hamlet, [['topic', 'DEPLOY']], ['plan', 'reply', 'secret', 'secretLater']],
  [hamlet, [['subject', 'nowhere']], []],
  [iago, [['topic', '']], ['empty']],
  [iago, [['topic', 'general chat']], ['empty']],
  [iago, [['topic', '(no topic)']], ['empty']],
  [hamlet, [['dm', [iago.id]]], ['dm', 'dmBack']],
  [hamlet, [['dm', iago.id]], ['dm', 'dmBack']],
  [hamlet, [['pm-with', 'iago@example.com']], ['dm', 'dmBack']],
  [hamlet, [['pm-with', 'iago@example.com, cordelia@example.com']], ['group']],
  [hamlet, [['pm-with', 'cordelia@example.com,iago@example.com,hamlet@example.com']], ['group']],
  [hamlet, [['dm', []]], ['self']],
  [cordelia, [['dm', [polonius.id]]], []],
  [hamlet, [['dm-including', iago.id]], ['dm', 'dmBack', 'group']],
  [hamlet, [['dm-including', [cordelia.id, iago.id]]], ['group']],
  [hamlet, [['group-pm-with', 'iago@example.com']], ['group']],
  [hamlet, [['sender', 'cordelia@example.com']], ['reply', 'mention']],
  [hamlet, [['sender', cordelia.id]], ['reply', 'mention']],
  [
    hamlet,
    [
      ['from', 'me'],
      ['is', 'dm'],
    ],
    ['dm', 'self'],
  ],
  [hamlet, [['id', w.said.plan!]], ['plan']],
  [hamlet, [['id', String(w.said.plan)]], ['plan']],
  [ophelia, [['id', w.said.secret!]], []],
  [
    hamlet,
    [
      ['near', 1],
      ['topic', 'lunch'],
    ],
    ['all', 'mention', 'designImage'],
  ],
  [hamlet, [['with', w.said.reply!]], ['plan', 'reply']],
  [
    hamlet,
    [
      ['channel', 'general'],
      ['topic', 'lunch'],
      ['with', w.said.plan!],
    ],
    ['plan', 'reply'],
  ],
  [
    hamlet,
    [
      ['channel', 'general'],
      ['topic', 'lunch'],
      ['with', 999_999],
    ],
    ['all', 'mention'],
  ],
  [hamlet, [['with', w.said.group!]], ['group']],
  [hamlet, [['is', 'dm']], ['dm', 'dmBack', 'group', 'self']],
  [
    hamlet,
    [
      ['is', 'private'],
      ['sender', iago.id],
    ],
    ['dmBack', 'group'],
  ],
  [hamlet, [['is', 'starred']], ['plan', 'dm']],
  [ophelia, [['is', 'starred']], ['design']],
  [hamlet, [['is', 'mentioned']], ['all', 'mention']],
  [hamlet, [['is', 'alerted']], []],
  [
    hamlet,
    [
      ['is', 'unread'],
      ['channel', 'general'],
    ],
    ['reply', 'empty', 'done'],
  ],
  [
    hamlet,
    [
      ['is', 'read'],
      ['topic', 'lunch'],
    ],
    ['all', 'mention', 'designImage'],
  ],
  [hamlet, [['is', 'resolved']], ['done']],
  [hamlet, [['is', 'followed']], ['plan', 'reply']],
  [hamlet, [['is', 'muted']], ['all', 'mention']],
  [
    iago,
    [
      ['is', 'muted'],
      ['sender', 'me'],
    ],
    ['empty', 'done', 'all'],
  ],
  [
    hamlet,
    [
      ['in', 'home'],
      ['sender', cordelia.id],
    ],
    ['reply'],
  ],
  [
    hamlet,
    [
      ['in', 'home'],
      ['topic', 'colours'],
    ],
    [],
  ],
  [
    hamlet,
    [
      ['in', 'all'],
      ['sender', cordelia.id],
    ],
    ['reply', 'mention'],
  ],
  [hamlet, [['has', 'link']], ['plan', 'designImage']],
  [iago, [['has', 'image']], ['designImage']],
  [iago, [['has', 'attachment']], ['dm']],
  [iago, [['has', 'reaction']], ['plan']],
  [hamlet, [['search', 'plan']], ['plan', 'secret', 'dmBack']],
  [hamlet, [['search', 'DEPLOY']], ['plan', 'reply', 'secret', 'self', 'secretLater']],
  [hamlet, [['search', 'deploy plan']], ['plan', 'secret']],
  [hamlet, [['search', '"deployment plan"']], ['plan']],
  [hamlet, [['search', '"plan deployment"']], []],
  [hamlet, [['search', 'ployme']], ['plan']],
  [hamlet, [['search', '東京']], ['cjk']],
  [hamlet, [['search', '会']], ['cjk']],
  [hamlet, [['search', '議']], ['cjk']],
  [hamlet, [['search', 'c++']], ['mention']],
  [hamlet, [['search', '& <fri']], ['mention']],
  [hamlet, [['search', 'us']], ['dm']],
  [hamlet, [['search', '✔']], ['done']],
  [hamlet, [['search', 'zebra']], []],
  [
    hamlet,
    [
      ['search', 'plan'],
      ['search', 'deploy'],
    ],
    ['plan', 'secret'],
  ],
]

for (const [who, terms, expected] of rows) {
  const asked = terms.map(([operator, operand]) => `${operator}:${JSON.stringify(operand)}`).join(' ')
  test(`${who.user.full_name} finds ${asked}`, async () => {
    assert.deepEqual(names(await found(who, ...terms)), expected)
  })
}

test('an empty narrow returns exactly the received messages', async () => {
  assert.deepEqual(names(await found(polonius)), ['club'])
  assert.deepEqual(names(await found(ophelia)), [
    ...['plan', 'reply', 'empty', 'cjk', 'done', 'all', 'mention'],
    // Starred by her, though she is not in the stream.
    'design',
  ])
})

test('a negated term finds exactly the other messages', async () => {
  const all = await found(hamlet)
  for (const [who, [term]] of rows) {
    if (
      who !== hamlet ||
      term === undefined ||
      ['channel', 'stream', 'channels', 'id', 'with', 'near'].includes(term[0])
    )
      continue
    const [operator, operand] = term
    const [holds, rest] = [await found(hamlet, [operator, operand]), await found(hamlet, [operator, operand, true])]
    assert.deepEqual(
      [...holds, ...rest].sort((a, b) => a - b),
      all,
      `${operator}:${operand}`,
    )
  }
})

const refused: [Person, Term[], string][] = [
  [hamlet, [['channel', 'nowhere']], 'unknown channel'],
  [cordelia, [['channel', 'club']], 'unknown channel'],
  [hamlet, [['channel', 9999]], 'unknown channel'],
  [hamlet, [['channels', 'odd']], 'unknown channels operand odd'],
  [hamlet, [['sender', 'nobody@example.com']], 'unknown user'],
  [hamlet, [['pm-with', 'iago@example.com,nobody@example.com']], 'unknown user'],
  [hamlet, [['dm', [9999]]], 'unknown user'],
  [hamlet, [['is', 'odd']], "unknown 'is' operand odd"],
  [hamlet, [['is', 'constructor']], "unknown 'is' operand constructor"],
  [hamlet, [['has', 'odd']], "unknown 'has' operand odd"],
  [hamlet, [['in', 'odd']], "unknown 'in' operand odd"],
  [hamlet, [['id', 'one']], 'invalid message ID'],
  [hamlet, [['odd', 'x']], 'unknown operator odd'],
  [hamlet, [['constructor', 'x']], 'unknown operator constructor'],
  [hamlet, [['has', 5]], 'invalid operand of has'],
  [hamlet, [['search', '  ""']], 'empty search'],
  [hamlet, [['with', 999_999]], "invalid 'with' operator"],
  [
    hamlet,
    [
      ['with', 1],
      ['with', 2],
    ],
    "duplicate 'with' operators",
  ],
  [ophelia, [['with', w.said.secret!]], "invalid 'with' operator"],
]

for (const [who, terms, desc] of refused) {
  test(`rejects ${JSON.stringify(terms)}: ${desc}`, async () => {
    await assert.rejects(found(who, ...terms), {
      name: 'ChatError',
      code: 'BAD_NARROW',
      message: `Invalid narrow operator: ${desc}`,
      data: { desc },
    })
  })
}

test('accepts terms as pairs or objects', () => {
  const term = { operator: 'topic', operand: 'x', negated: false }
  assert.deepEqual(check(narrow, [['topic', 'x']]), [term])
  assert.deepEqual(check(narrow, [{ operator: 'topic', operand: 'x' }]), [term])
  assert.deepEqual(check(narrow, [{ operator: 'topic', operand: 'x', negated: true }]), [{ ...term, negated: true }])
  assert.throws(() => check(narrow, [['topic']]), { code: 'BAD_REQUEST' })
  assert.throws(() => check(narrow, 'topic'), { code: 'BAD_REQUEST' })
})
