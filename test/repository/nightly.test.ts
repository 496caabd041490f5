import assert from 'node:assert/strict'
import test from 'node:test'
import { type Night, type Run, runNight } from '../runner/night.ts'

const MINUTE_MS = 60_000
const run = (counts: string, more: Partial<Run> = {}): Run => ({
  counts,
  each: 10,
  parts: 100,
  tests: [counts.toLowerCase()],
  ...more,
})

/** Runs nights whose parts take so many minutes each, and fail if they are named. */
function nightOf(runs: Record<string, Run>, minutesOf: Record<string, number>, more: Partial<Night> = {}) {
  let time = 0
  const ran: Record<string, number> = {}
  const seeds: string[] = []
  const sizes: Record<string, string> = {}
  const passed: string[] = []
  const failing = new Set<string>()
  const night: Night = {
    ...{ day: 1, now: () => time, print: () => {}, ...more },
    runPart: (env, [name = '']) => {
      time += minutesOf[name]! * MINUTE_MS
      ran[name] = (ran[name] ?? 0) + 1
      seeds.push(`${name} ${env.SEED}`)
      sizes[name] = env[name.toUpperCase()] ?? ''
      return !failing.has(name)
    },
    onPassed: (name, rounds) => passed.push(`${name} ${rounds}`),
  }
  const start = (...names: string[]) => {
    for (const name of names) failing.add(name)
    const failed = runNight(Object.entries(runs), night)
    return { failed, ran, seeds, sizes, passed, minutes: time / MINUTE_MS }
  }
  return { start }
}

test('runs of a night share its minutes, also what one of them leaves', () => {
  const runs = { a: run('A'), b: run('B', { parts: 2 }), c: run('C') }
  const even = nightOf({ a: run('A'), c: run('C') }, { a: 1, c: 1 }, { minutes: 40 }).start()
  assert.deepEqual([even.ran, even.minutes], [{ a: 20, c: 20 }, 40])
  const left = nightOf(runs, { a: 1, b: 1, c: 1 }, { minutes: 30 }).start()
  assert.deepEqual([left.ran, left.minutes], [{ a: 10, b: 2, c: 18 }, 30])
  // One that takes longer than its share has one part, and leaves the others less.
  const long = nightOf(runs, { a: 20, b: 1, c: 1 }, { minutes: 30 }).start()
  assert.deepEqual([long.ran, long.minutes], [{ a: 1, b: 2, c: 8 }, 30])
})

test('a failing part stops neither the next parts nor other runs, and its command has its seed', () => {
  const { start } = nightOf({ a: run('A', { parts: 5 }), b: run('B', { parts: 2, seeds: 7 }) }, { a: 1, b: 1 })
  const { failed, ran, passed } = start('a')
  assert.deepEqual(ran, { a: 3, b: 2 })
  assert.equal(failed[1], 'A=10 SEED=11 FIRST_SEED=11 node test/run.js --full --test-timeout=28800000 a')
  assert.deepEqual(passed, ['b 10', 'b 10'])
})

test('each part has seeds of its own, a soak is one part, and short runs have one small part', () => {
  const { seeds } = nightOf({ b: run('B', { parts: 3, seeds: 7 }) }, { b: 1 }, { day: 2 }).start()
  assert.deepEqual(seeds, ['b 84', 'b 91', 'b 98'])
  const soak = nightOf({ soak_minutes: run('SOAK_MINUTES', { each: 330 }) }, { soak_minutes: 25 }, { minutes: 25.5 })
  assert.deepEqual(soak.start().sizes, { soak_minutes: '25' })
  const short = nightOf({ a: run('A', { short: 3, times: 2 }) }, { a: 1 }, { short: true }).start()
  assert.deepEqual([short.ran, short.passed], [{ a: 1 }, ['a 6']])
})
