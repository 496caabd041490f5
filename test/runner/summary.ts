import type { JobResult } from './job.ts'

const SLOWEST = 20

interface Time {
  seconds: number
  /** Seconds of all processors together; undefined if they are unknown. */
  processor: number | undefined
}

/** Prints the slowest tests, the failures and the totals. Returns whether everything passed. */
export function summarize(results: readonly JobResult[], { seconds, processor }: Time): boolean {
  const all = results.flatMap(({ suite, outcomes }) => outcomes.map((outcome) => ({ ...outcome, suite })))
  const count = (result: string) => all.filter((outcome) => outcome.result === result).length
  const suites = new Set(results.map(({ suite }) => suite))
  const where = (suite: string) => (suites.size > 1 && suite !== 'sqlite' ? `, ${suite}` : '')

  const slowest = all.filter(({ nesting }) => nesting === 0).sort((a, b) => b.ms - a.ms)
  console.log('\nSlowest tests:')
  for (const { name, ms, file, suite } of slowest.slice(0, SLOWEST))
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name} (${file}${where(suite)})`)

  // One file has no share to compare.
  const costs = results.flatMap(({ suite, costs }) => costs.map((cost) => ({ ...cost, suite })))
  if (costs.length > 1) {
    console.log('\nFiles with the most processor time:')
    costs.sort((a, b) => (b.processor ?? b.seconds) - (a.processor ?? a.seconds))
    for (const { file, seconds, processor = 0, suite } of costs.slice(0, SLOWEST))
      console.log(`${processor.toFixed(1).padStart(7)} s  ${file}${where(suite)} (in ${seconds.toFixed(1)} s)`)
  }

  const failures = all.flatMap(({ failure, suite }) => (failure ? [failure.replace('\n', `${where(suite)}\n`)] : []))
  if (failures.length > 0) console.log(`\nFailed tests:\n\n${failures.join('\n\n')}`)

  console.log(`
ℹ tests ${all.length}
ℹ pass ${count('passed')}
ℹ fail ${count('failed')}
ℹ skipped ${count('skipped')}
ℹ seconds ${seconds.toFixed(1)}
ℹ processor seconds ${processor?.toFixed(1) ?? 'unknown'}
${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
  return count('failed') === 0 && count('passed') > 0
}
