import assert from 'node:assert/strict'
import test from 'node:test'
import { randomFrom } from '../../bench/words.ts'
import { visibleTo } from '../../src/core/access/message-visibility.ts'
import type { Caller } from '../../src/core/kernel/context.ts'
import { messageViews } from '../../src/core/messages/view.ts'
import { compileNarrow, type Narrow } from '../../src/core/narrow/compile.ts'
import { findMessages } from '../../src/core/narrow/find-messages.ts'
import { matcherOf } from '../../src/core/narrow/matches.ts'
import type { MatchInput } from '../../src/core/narrow/operators/match-input.ts'
import { canonicalName, operators as known } from '../../src/core/narrow/operators/table.ts'
import type { NarrowTerm } from '../../src/core/narrow/operators/terms.ts'
import { searchText } from '../../src/core/narrow/search/text.ts'
import { fold } from '../../src/storage/index.ts'
import { rounds } from '../rounds.ts'
import { talk } from './talk.ts'

const w = await talk()
test.after(() => w.chat.close())
const everybody: Caller[] = [w.iago, w.hamlet, w.cordelia, w.polonius, w.ophelia]

const ids = everybody.map((caller) => caller.user.id)
/** Every operator, with operands that match some messages. */
const operands: Readonly<Record<string, readonly NarrowTerm['operand'][]>> = {
  channel: ['general', 'design', w.general],
  channels: ['public', 'web-public', 'archived'],
  topic: ['deploy', 'lunch', '', 'general chat', 'colours', 'nowhere'],
  dm: [[w.iago.id], [w.iago.id, w.hamlet.id, w.cordelia.id], w.hamlet.id, []],
  'dm-including': [[w.iago.id], [w.hamlet.id, w.cordelia.id]],
  'group-pm-with': [[w.iago.id], w.cordelia.id],
  sender: [...ids, 'me'],
  mentions: [...ids, 'me'],
  id: Object.values(w.said).slice(0, 4),
  near: [5],
  is: ['dm', 'alerted', 'mentioned', 'starred', 'unread', 'read', 'resolved', 'followed', 'muted', 'collapsed'],
  has: ['link', 'image', 'attachment', 'reaction'],
  in: ['home', 'all'],
  search: ['plan', 'deploy', 'deploy plan', '"the plan"', '東京', '会', 'e', 'lo', 'the design', 'zebra', '✔'],
}
const operators = Object.keys(operands)

/** Everything somebody may see, as input for matching in memory, made from the API's own message objects. */
async function factsFor(caller: Caller): Promise<(MatchInput & { had: boolean })[]> {
  const rows = await caller.db
    .selectFrom('message')
    .select(['id', 'has_link', 'has_image', 'has_attachment'])
    .where((eb) => visibleTo(eb, caller.user))
    .execute()
  const all = new Map(rows.map((row) => [row.id, row]))
  const options = { apply_markdown: true, client_gravatar: true, allow_empty_topic_name: true }
  const views = await messageViews(caller, [...all.keys()], options)
  return views.map((view) => {
    const { has_link, has_image, has_attachment } = all.get(view.id)!
    const inStream = view.type === 'stream'
    const marks = ['starred', 'collapsed', 'mentioned', 'has_alert_word', 'topic_wildcard_mentioned']
    return {
      id: view.id,
      sender_id: view.sender_id,
      stream_id: inStream ? view.recipient_id : null,
      topic_key: inStream ? fold(view.subject) : null,
      participants: inStream ? null : (view.display_recipient as { id: number }[]).map((person) => person.id),
      flags: view.flags,
      has_link: has_link === 1,
      has_image: has_image === 1,
      has_attachment: has_attachment === 1,
      has_reaction: view.reactions.length > 0,
      html: () => view.content,
      search_text: () => searchText(view.content),
      had: !view.flags.includes('historical') || view.flags.some((flag) => marks.includes(flag)),
    }
  })
}
const facts = new Map(await Promise.all(everybody.map(async (caller) => [caller, await factsFor(caller)] as const)))

const newest = { from: Number.MAX_SAFE_INTEGER, direction: 'desc', limit: 1000 } as const
const oldest = { from: 0, direction: 'asc', limit: 1000 } as const

async function agree(caller: Caller, narrow: Narrow, terms: readonly NarrowTerm[]): Promise<number> {
  const matches = matcherOf(narrow)
  const seen = facts.get(caller)!.filter((message) => message.had || narrow.wholeHistory)
  const expected = seen.filter(matches).map((message) => message.id)
  const asked = `${caller.user.full_name}: ${JSON.stringify(terms)}`
  assert.deepEqual(await findMessages(caller, narrow, oldest), expected, asked)
  assert.deepEqual(await findMessages(caller, narrow, newest), expected.toReversed(), asked)
  // Also where the nearest messages are too few, so that conversations are read one by one.
  for (const window of [0, 5]) {
    assert.deepEqual(await findMessages(caller, narrow, { ...oldest, window }), expected, asked)
    const few = { ...newest, window, limit: 3 }
    assert.deepEqual(await findMessages(caller, narrow, few), expected.toReversed().slice(0, 3), asked)
  }
  return seen.length
}

/** A narrow may name something its reader may not know of; then there is nothing to compare. */
const understood = (caller: Caller, terms: readonly NarrowTerm[]): Promise<Narrow | undefined> =>
  compileNarrow(caller, terms).catch((error) => {
    assert.equal(error.code, 'BAD_NARROW')
    return undefined
  })

test('the compiler and the evaluator agree on generated narrows', async (t) => {
  const narrows = rounds({ short: 150, full: 500 })
  t.diagnostic(`${narrows} narrows`)
  const random = randomFrom(42)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  let cases = 0
  let asked = 0
  for (let i = 0; i < narrows; i++) {
    const caller = one(everybody)
    const terms = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const operator = one(operators)
      return { operator, operand: one(operands[operator]!), negated: random() < 0.35 }
    })
    const narrow = await understood(caller, terms)
    if (!narrow) continue
    cases += await agree(caller, narrow, terms)
    asked++
  }
  assert.ok(asked > narrows * 0.8, `${asked} narrows`)
  assert.ok(cases >= narrows * 4, `${cases} cases of narrow, message and user`)
})

test('compiles and evaluates every pair of operators alike, negated or not', async (t) => {
  // In short every seventh pair.
  const step = rounds({ short: 7, full: 1 })
  t.diagnostic(`one pair in ${step}`)
  let pair = 0
  for (const first of operators) {
    for (const second of operators) {
      if (pair++ % step > 0) continue
      for (const [a, b] of [
        [false, false],
        [true, false],
        [false, true],
      ] as const) {
        const terms = [
          { operator: first, operand: operands[first]![0]!, negated: a },
          { operator: second, operand: operands[second]!.at(-1)!, negated: b },
        ]
        const narrow = await understood(w.hamlet, terms)
        if (narrow) await agree(w.hamlet, narrow, terms)
      }
    }
  }
})

test('these tests cover every operator under its canonical name', () => {
  assert.deepEqual([...new Set(Object.keys(known).map(canonicalName))].sort(), [...operators].sort())
})
