import assert from 'node:assert/strict'
import test from 'node:test'
import {
  addReaction,
  type Caller,
  createGroup,
  sendMessage,
  subscribe,
  updateFlags,
  updateFlagsForNarrow,
  updateStatus,
} from '../../src/index.ts'
import { type World, world } from '../../src/testing/index.ts'
import { follow } from '../../src/testing/verify-events.ts'
import { dice } from '../random.ts'
import { besideFailures } from './failing-writes.ts'

const names = ['iago', 'hamlet', 'cordelia'] as const

const emoji = ['tada', 'heart', 'smile', 'octopus', '+1', 'eyes', 'rocket', 'cat']

interface Act {
  who: (typeof names)[number]
  run: (caller: Caller) => Promise<object>
  /** Whether the write fails after everything. */
  fails: boolean
}

class Undone extends Error {}

/** Random actions whose outcome doesn't depend on their order. */
function actsOf(seed: number, message_ids: readonly number[]): Act[] {
  const roll = dice(seed)
  return Array.from({ length: 40 }, (_, i) => {
    const kinds: Act['run'][] = [
      (caller) => sendMessage(caller, { type: 'stream', to: 'general', topic: `topic ${i % 4}`, content: `text ${i}` }),
      (caller) => subscribe(caller, { subscriptions: [{ name: `channel ${i}` }, { name: `other ${i}` }] }),
      (caller) =>
        subscribe(caller, { subscriptions: Array.from({ length: 34 }, (__, n) => ({ name: `many ${i} ${n}` })) }),
      (caller) => updateFlags(caller, { messages: [...message_ids], op: 'add', flag: 'starred' }),
      (caller) =>
        updateFlagsForNarrow(caller, {
          ...{ anchor: 'oldest', num_before: 0, num_after: 100, op: 'add', flag: 'collapsed' },
          narrow: [{ operator: 'topic', operand: 'seeded' }],
        }),
      (caller) =>
        addReaction(caller, {
          message_id: message_ids[i % message_ids.length]!,
          emoji_name: emoji[Math.floor(i / 5)]!,
        }),
      (caller) => createGroup(caller, { name: `group ${i}`, description: '', members: [caller.user.id] }),
      (caller) => updateStatus(caller, { status_text: `status ${i}` }),
    ]
    const run = kinds[roll(kinds.length)]!
    return { who: names[roll(names.length)]!, run, fails: roll(12) === 0 }
  })
}

/** Carries out an act. Returns its answer without ids, or why it failed. */
async function perform(w: World, { who, run, fails }: Act): Promise<unknown> {
  const caller = w.people[who]
  try {
    const answer = fails
      ? await caller.write(async (tx) => {
          await run(tx)
          throw new Undone('undone')
        })
      : await run(caller)
    return Object.fromEntries(Object.entries(answer).filter(([key]) => !/(?:^|_)ids?$/.test(key)))
  } catch (error) {
    return `${(error as Error).message}`
  }
}

/** Everything that is the same in whatever order it happened. */
async function facts(w: World, seeded: readonly number[]): Promise<object> {
  const { messages } = await w.people.iago.api.get('/messages', { anchor: 'newest', num_before: 500, num_after: 0 })
  const { streams } = await w.people.iago.api.get('/streams')
  const { user_groups } = await w.people.iago.api.get('/user_groups')
  const flags = await Promise.all(
    names.map(async (name) => {
      const own = await w.people[name].api.get('/messages', { anchor: 'oldest', num_before: 0, num_after: 100 })
      return own.messages
        .filter(({ id }: { id: number }) => seeded.includes(id))
        .map(({ id, flags, reactions }: { id: number; flags: string[]; reactions: object[] }) => [
          ...[id, reactions.length],
          ...flags.sort(),
        ])
    }),
  )
  return {
    messages: messages
      .map(({ subject, content }: { subject: string; content: string }) => `${subject} ${content}`)
      .sort(),
    streams: streams
      .map(({ name, subscriber_count }: { name: string; subscriber_count: number }) => [name, subscriber_count])
      .sort(),
    groups: user_groups.map(({ name, members }: { name: string; members: number[] }) => `${name} ${members}`).sort(),
    flags,
  }
}

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`concurrent actions, some failing after a change, do the same as one after another (${seed})`, async () => {
    const seeded = async () => {
      const w = await world()
      const ids: number[] = []
      for (let i = 0; i < 5; i++) ids.push((await w.people.iago.says(`seeded ${i}`, { topic: 'seeded' })).id)
      return { w, ids }
    }
    const together = await seeded()
    const apart = await seeded()
    await using first = together.w
    await using second = apart.w
    const reader = await follow(() => first.people.hamlet)
    const roll = dice(seed)
    const acts = () => Promise.all(actsOf(seed, together.ids).map((act) => perform(first, act)))
    const answers = await besideFailures(first, acts, () => roll(3) === 0)
    await reader.catchUp()
    await reader.verify()
    const expected: unknown[] = []
    for (const act of actsOf(seed, apart.ids)) expected.push(await perform(second, act))
    // Only the first of two that do the same says that it changed something.
    const shape = (answer: unknown) => JSON.stringify(answer).replace(/"updated_count":\d+/, '')
    assert.deepEqual(answers.map(shape), expected.map(shape))
    const counts = (all: unknown[]) =>
      all.reduce<number>((sum, answer) => sum + ((answer as { updated_count?: number }).updated_count ?? 0), 0)
    assert.equal(counts(answers), counts(expected))
    assert.deepEqual(await facts(first, together.ids), await facts(second, apart.ids))
  })
}
