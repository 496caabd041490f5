import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Suite } from './flags.ts'

/** Seconds by suite and file, for files that take at least SHORT; written by `node test/run.js --record`. */
type Durations = Record<string, Record<string, number>>

const path = join(import.meta.dirname, '../durations.json')
const SHORT = 0.5
/** About as long as the files take that are not recorded. */
const USUAL = 0.25

const read = (): Durations => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})
const key = (suite: Suite, full: boolean): string => (full ? `${suite}, full` : suite)

/** Returns how many seconds a file took when it was last recorded. */
export function durations(full: boolean): (suite: Suite, file: string) => number {
  const known = read()
  return (suite, file) => {
    // A file that is not recorded on PostgreSQL takes about as long there.
    for (const each of new Set([suite, 'sqlite'] as const)) {
      const seconds = (full ? known[key(each, true)]?.[file] : undefined) ?? known[key(each, false)]?.[file]
      if (seconds !== undefined) return seconds
    }
    return USUAL
  }
}

/** Records files in place of what was known about them. */
export function record(suite: Suite, full: boolean, measured: ReadonlyMap<string, number>): void {
  const known = read()
  const next = { ...known[key(suite, full)] }
  for (const [file, seconds] of measured) {
    delete next[file]
    if (seconds >= SHORT) next[file] = Math.round(seconds * 10) / 10
  }
  const sorted = Object.fromEntries(Object.entries(next).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(path, `${JSON.stringify({ ...known, [key(suite, full)]: sorted }, null, 2)}\n`)
}
