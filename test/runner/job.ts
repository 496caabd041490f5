import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compiledCode } from '../quick-start.ts'
import type { Suite } from './flags.ts'

/**
 * Files of a suite, the longest first. Several processes run them: each takes the next file when it has finished one, so they end at
 * about the same time.
 */
export interface Job {
  readonly suite: Suite
  readonly files: readonly string[]
  /** Has an entry for each file that a process took, by its place in the list. */
  readonly taken: string
}

export function createJob(suite: Suite, files: readonly string[], folder: string): Job {
  const taken = join(folder, suite)
  mkdirSync(taken)
  return { suite, files, taken }
}

/** Whether files are left for another process. */
export const hasMore = ({ files, taken }: Job): boolean => readdirSync(taken).length < files.length

/** A test that ran, as test/runner/reporter.js tells it. */
export interface Outcome {
  readonly name: string
  readonly nesting: number
  readonly result: 'passed' | 'failed' | 'skipped'
  readonly ms: number
  readonly file: string
  readonly failure?: string
}

/** What a file took in its process: seconds by the clock, and of all processors together. */
export interface Cost {
  readonly file: string
  readonly seconds: number
  /** Undefined if it is unknown. */
  readonly processor?: number
}

export interface JobResult {
  readonly suite: Suite
  /** The files that this process took. */
  readonly files: readonly string[]
  readonly costs: readonly Cost[]
  readonly seconds: number
  readonly outcomes: readonly Outcome[]
}

export interface JobOptions {
  readonly root: string
  /** Temporary; for the entries and the reports. */
  readonly folder: string
  readonly options: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Ends the process when it aborts. */
  readonly stop: AbortSignal
  /** Milliseconds that the process may stay open after its last test. */
  readonly openMs?: number
}

/** Fails a test that hangs. A test that may take longer says so with its own `timeout`. */
const TEST_TIMEOUT_MS = 600_000
const OPEN_MS = 10_000

let started = 0

/** Runs files of a job in a process until none is left. Never throws: a process that breaks is a failed test. */
export async function runJob(
  job: Job,
  { root, folder, options, env, stop, openMs = OPEN_MS }: JobOptions,
): Promise<JobResult> {
  const began = performance.now()
  const name = `${job.suite}-${++started}`
  const entry = join(folder, `${name}.mjs`)
  const report = join(folder, `${name}.jsonl`)
  const costs = join(folder, `${name}.costs.jsonl`)
  writeFileSync(
    entry,
    source({
      name,
      taken: job.taken,
      costs,
      files: job.files.map((file) => [file, pathToFileURL(join(root, file)).href]),
      atOnce: options.some((option) => SELECTS_TESTS.test(option)),
      openMs,
    }),
  )
  const runner = spawn(
    process.execPath,
    [
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      `--test-reporter=${new URL('reporter.js', import.meta.url)}`,
      `--test-reporter-destination=${report}`,
      ...options,
      entry,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      // Functions from the cache have no precise coverage.
      env: { ...process.env, ...(env.NODE_V8_COVERAGE ? {} : { NODE_COMPILE_CACHE: compiledCode }), ...env },
    },
  )
  const end = () => runner.kill()
  stop.addEventListener('abort', end)
  const [code, signal] = await once(runner, 'exit')
  stop.removeEventListener('abort', end)
  const entries = linesOf<Outcome | { note: string }>(report)
  const outcomes = entries.filter((entry) => 'name' in entry)
  const notes = entries.flatMap((entry) => ('note' in entry ? [entry.note] : []))
  const seconds = (performance.now() - began) / 1000
  const isMine = (place: string) => readFileSync(join(job.taken, place), 'utf8') === name
  const places = readdirSync(job.taken).filter(isMine).map(Number)
  const files = job.files.filter((_, place) => places.includes(place))
  const broke = code !== 0 && !outcomes.some(({ result }) => result === 'failed')
  if (broke || (outcomes.length === 0 && files.length > 0)) {
    const how = broke ? `ended with ${signal ?? `code ${code}`} and no failed test` : 'ran no test'
    // It took the last one, and may have run it.
    const file = files.at(-1) ?? job.suite
    outcomes.push({
      name: file,
      nesting: 0,
      result: 'failed',
      ms: 0,
      file,
      failure: [`✖ the process of ${file} ${how}`, ...notes].join('\n✖ '),
    })
  }
  return { suite: job.suite, files, costs: linesOf<Cost>(costs), seconds, outcomes }
}

/** Reads the values of a file, a line each. A process that was killed may have left half a line at the end. */
function linesOf<T>(file: string): T[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  return lines.map((line) => JSON.parse(line) as T)
}

/** Options that select tests also leave out the test that takes the next file, so all files are taken before the first test. */
const SELECTS_TESTS = /^--test-(only|name-pattern|skip-pattern)/

interface Source {
  name: string
  taken: string
  costs: string
  files: readonly (readonly [path: string, url: string])[]
  atOnce: boolean
  openMs: number
}

/**
 * A test between the files takes and loads the next one, so that the durations of tests are their own. The runner ends as soon as all
 * tests have ended, so this one exists before the ones of its file. A file that cannot be loaded is a failed test, and the others run.
 * What a failed test leaves open does not hold up the other processes for long.
 */
const source = ({ name, taken, costs, files, atOnce, openMs }: Source): string =>
  `await import(${JSON.stringify(new URL('stray-errors.js', import.meta.url))})
const { default: test, after } = await import('node:test')
const { join } = await import('node:path')
const { appendFileSync, writeFileSync } = await import('node:fs')
const { processorSeconds } = await import(${JSON.stringify(new URL('processor-seconds.ts', import.meta.url))})
const files = ${JSON.stringify(files, null, 2)}
let place = -1
function take() {
  while (++place < files.length) {
    try {
      writeFileSync(join(${JSON.stringify(taken)}, String(place)), ${JSON.stringify(name)}, { flag: 'wx' })
      return files[place]
    } catch (error) {
      // Another process took it.
      if (error.code !== 'EEXIST') throw error
    }
  }
}
async function load(url) {
  try {
    await import(url)
  } catch (error) {
    test(\`load \${url}\`, () => {
      throw error
    })
  }
}
let before
function noteCost(file) {
  const now = { at: performance.now(), processor: processorSeconds() }
  if (before?.file) {
    const { file, at, processor } = before
    const cost = { file, seconds: (now.at - at) / 1000, processor: now.processor - processor || undefined }
    appendFileSync(${JSON.stringify(costs)}, JSON.stringify(cost) + '\\n')
  }
  before = { file, ...now }
}
async function takeNext(t) {
  const [path, url] = take() ?? []
  noteCost(path)
  if (!path) return atEnd()
  await t.test(\`file of the next tests: \${path}\`, () => {})
  await load(url)
  test('take the next file', takeNext)
}
// The last of these functions: the ones of the files close what is shared, such as a browser, and may take long.
const atEnd = () =>
  after(() => {
    const end = () => {
      if (process.env.TEST_SILENT !== '1') console.error(\`Still open after the last test: \${process.getActiveResourcesInfo().join(', ')}. The process is ended\`)
      process.exit()
    }
    setTimeout(end, ${openMs}).unref()
  })
if (${atOnce}) {
  for (let file = take(); file; file = take()) await load(file[1])
  atEnd()
} else test('take the next file', takeNext)
`
