import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Answer, Person, World, WorldSnapshot } from '../../src/testing/index.ts'
import { maySee, type Reader, readerOf, readers, type Sample, scene, streams } from './scene.ts'

export interface Way {
  name: string
  ask(who: Person, id: number, sample: Sample, w: World): Promise<Answer>
  /** Whether the answer reveals the message; by default any answer that an absent message does not get. */
  reveals?(answer: Answer, id: number): boolean
  /** The answer reveals neighbouring messages, too. */
  around?: true
  /** The request names the message's place. Requests of the others for an absent message are all the same. */
  placed?: true
  /** People without an account may ask, too. */
  open?: true
  /** A permitted request would change what the next one reads. */
  not?: readonly Reader[]
}

export const found = (answer: Answer, id: number) =>
  answer.messages?.some((message: { id: number }) => message.id === id) === true
/** Without it, a narrow only selects messages the user has, and not all they may see. */
export const narrowTo = async (place: string, w: World) =>
  place in streams ? [{ operator: 'channel', operand: await w.streamId(place) }] : []
const one = { num_before: 0, num_after: 0 }
export const at = (id: number) => ({ anchor: id, ...one })

const ABSENT = 1_000_000
const ABSENT_WORD = 'zqnonewx'

/** An answer without the values from the request: answers that differ only in those reveal the same. */
const anonymous = (answer: Answer, id: number, word: string) =>
  JSON.stringify(answer)
    .replace(new RegExp(`\\b${id}\\b`, 'g'), 'ID')
    .replaceAll(word, 'WORD')

/**
 * Tests each way with every reader and every message of the scene. Making the scene takes longer than a test, so each
 * test gets a copy of it.
 */
export function testWays(ways: readonly Way[]): void {
  let made: Awaited<ReturnType<typeof scene>>
  let start: WorldSnapshot
  before(async () => {
    made = await scene()
    start = await made.w.snapshot()
  })
  after(() => made.w.chat.close())
  for (const way of ways) {
    test(`only readers of a message can ${way.name}; for others it does not exist`, async () => {
      await made.w.restore(start)
      // At the same time, so that their writes share transactions.
      await Promise.all(readers.map((name) => testWay(way, name, made)))
    })
  }
}

async function testWay(way: Way, name: Reader, { w, samples }: Awaited<ReturnType<typeof scene>>): Promise<void> {
  const who = readerOf(w, name)
  const absents = new Map<string, Answer>()
  for (const sample of samples) {
    const { id } = sample
    const sees = maySee(name, sample) && (name !== 'nobody' || way.open === true)
    if (sees && way.not?.includes(name)) continue
    const detail = `${name} ${sees ? 'can' : 'cannot'} ${way.name}: ${sample.place} ${sample.when ?? ''}`
    const answer = await way.ask(who, id, sample, w)
    const place = way.placed ? sample.place : ''
    const absent = absents.get(place) ?? (await way.ask(who, ABSENT, { ...sample, word: ABSENT_WORD }, w))
    absents.set(place, absent)
    if (name === 'gone' || (name === 'nobody' && !way.open)) assert.equal(answer.status, 401, detail)
    const same = anonymous(answer, id, sample.word) === anonymous(absent, ABSENT, ABSENT_WORD)
    const reveals = way.reveals?.(answer, id) ?? !same
    assert.equal(reveals, sees, `${detail}\n${JSON.stringify(answer)}`)
    if (!sees && !way.around) assert.ok(same, `${detail} alike\n${JSON.stringify(answer)}\n${JSON.stringify(absent)}`)
  }
}
