/** A long test that a night repeats in parts, each with a seed of its own. */
export interface Run {
  /** The environment variable that says how often a part repeats what it does. */
  readonly counts: string
  /** How often it does in a part of about a minute. */
  readonly each: number
  /** The same with `--short`. */
  readonly short?: number
  /** How many parts make a night. */
  readonly parts: number
  /** How many of the tests repeat it; one if absent. */
  readonly times?: number
  /** How many seeds a part uses, from its own on; one if absent. */
  readonly seeds?: number
  /** Arguments of test/run.js. */
  readonly tests: readonly string[]
}

export interface Night {
  /** What all runs take together; without a limit if absent. */
  readonly minutes?: number | undefined
  /** Runs one small part of each. */
  readonly short?: boolean | undefined
  /** The first part. With another, a second run of a day gets other seeds. */
  readonly first?: number
  /** Days since 2026 began. */
  readonly day: number
  /** Milliseconds of a clock. */
  readonly now: () => number
  readonly print: (text: string) => void
  /** Runs one part, and returns whether it passed. It is ended, and has failed, after `limitMs`. */
  readonly runPart: (env: Readonly<Record<string, string>>, tests: readonly string[], limitMs: number) => boolean
  /** Notes rounds that passed. */
  readonly onPassed?: (name: string, rounds: number) => void
}

const MINUTE_MS = 60_000
/** Ends a part that hangs, and leaves a slow machine its time. */
const LIMIT_MINUTES = 20
/** A run whose parts all fail tells nothing new. */
const MOST_FAILURES = 3

/** Returns the command that runs a part. */
export const commandOf = (tests: readonly string[]): readonly string[] => [
  'test/run.js',
  '--full',
  '--test-timeout=28800000',
  ...tests,
]

/**
 * Runs the parts of each run. Time that one leaves, or takes too much, is shared among the ones after it. A part that fails stops
 * neither the next parts nor the other runs. Returns the commands that repeat the failed parts.
 */
export function runNight(runs: readonly (readonly [name: string, run: Run])[], night: Night): string[] {
  const { minutes, short = false, first = 0, day, now, print, runPart, onPassed } = night
  const deadline = minutes === undefined ? undefined : now() + minutes * MINUTE_MS
  const failed: string[] = []
  for (const [index, [name, run]] of runs.entries()) {
    const { counts, times = 1, seeds = 1, tests } = run
    const left = deadline === undefined ? undefined : Math.max(0, deadline - now())
    const share = left === undefined ? Number.POSITIVE_INFINITY : left / (runs.length - index)
    const end = now() + share
    // A soak is one part of many minutes.
    const isSoak = counts === 'SOAK_MINUTES'
    const most = short || (isSoak && left !== undefined) ? 1 : run.parts
    const size = short
      ? (run.short ?? run.each)
      : isSoak
        ? Math.max(1, Math.min(run.each, Math.floor(share / MINUTE_MS)))
        : run.each
    const limitMs = (isSoak ? size + LIMIT_MINUTES : LIMIT_MINUTES) * MINUTE_MS
    let [passed, failures, longest] = [0, 0, 0]
    // Each run has a part, and begins another if it ends in time.
    for (let part = 0; part < most && (part === 0 || now() + longest <= end); part++) {
      const began = now()
      // A day has twice the seeds of a night, for a second run that begins with another part.
      const seed = String((day * 2 * run.parts + first + part) * seeds)
      const env = { [counts]: String(size), SEED: seed, FIRST_SEED: seed }
      const set = Object.entries(env).map(([variable, value]) => `${variable}=${value}`)
      print(`== ${name}: part ${part + 1} of at most ${most}\n${set.join(' ')}`)
      if (runPart(env, tests, limitMs)) {
        passed++
        onPassed?.(name, size * times)
      } else {
        const command = [...set, 'node', ...commandOf(tests)].join(' ')
        print(`\nFAILED, to repeat: ${command}\n`)
        failed.push(command)
        if (++failures === MOST_FAILURES) break
      }
      longest = Math.max(longest, now() - began)
    }
    print(`== ${name}: ${passed * size * times} rounds passed (${counts}), ${failures} parts failed`)
  }
  return failed
}
