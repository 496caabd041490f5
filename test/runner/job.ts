import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compiledCode } from '../quick-start.ts'
import type { Suite } from './flags.ts'

/** Files that run in one process. */
export interface Job {
  readonly suite: Suite
  readonly files: readonly string[]
  readonly seconds: number
}

/** A test that ran, as test/runner/reporter.js tells it. */
export interface Outcome {
  readonly name: string
  readonly nesting: number
  readonly result: 'passed' | 'failed' | 'skipped'
  readonly ms: number
  readonly file: string
  readonly failure?: string
}

export interface JobResult {
  readonly job: Job
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

/** Runs the files of a job in a process. Never throws: a process that breaks is a failed test. */
export async function runJob(
  job: Job,
  { root, folder, options, env, stop, openMs = OPEN_MS }: JobOptions,
): Promise<JobResult> {
  const began = performance.now()
  const name = `${job.suite}-${++started}`
  const entry = join(folder, `${name}.mjs`)
  const report = join(folder, `${name}.jsonl`)
  writeFileSync(
    entry,
    source(
      job.files.map((file) => [file, pathToFileURL(join(root, file)).href]),
      openMs,
    ),
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
  // A process that was killed may have left half a line at the end.
  const lines = existsSync(report) ? readFileSync(report, 'utf8').split('\n').slice(0, -1) : []
  const entries = lines.map((line) => JSON.parse(line) as Outcome | { note: string })
  const outcomes = entries.filter((entry) => 'name' in entry)
  const notes = entries.flatMap((entry) => ('note' in entry ? [entry.note] : []))
  const seconds = (performance.now() - began) / 1000
  const broke = code !== 0 && !outcomes.some(({ result }) => result === 'failed')
  if (broke || outcomes.length === 0) {
    const how = broke ? `ended with ${signal ?? `code ${code}`} and no failed test` : 'ran no test'
    const files = job.files.join(' ')
    outcomes.push({
      name: files,
      nesting: 0,
      result: 'failed',
      ms: 0,
      file: files,
      failure: [`✖ the process of ${files} ${how}`, ...notes].join('\n✖ '),
    })
  }
  return { job, seconds, outcomes }
}

/**
 * A file that cannot be loaded is a failed test, and the others run. Tests wait until all files are loaded, so that their durations are
 * their own. What a failed test leaves open does not hold up the other processes for long.
 */
const source = (files: readonly (readonly [path: string, url: string])[], openMs: number): string =>
  `await import(${JSON.stringify(new URL('stray-errors.js', import.meta.url))})
const { default: test, after, before } = await import('node:test')
const { promise: loaded, resolve } = Promise.withResolvers()
before(() => loaded)
for (const [path, url] of ${JSON.stringify(files, null, 2)}) {
  test(\`file of the next tests: \${path}\`, () => {})
  try {
    await import(url)
  } catch (error) {
    test(\`load \${url}\`, () => {
      throw error
    })
  }
}
// The last of these functions: the ones of the files close what is shared, such as a browser, and may take long.
after(() => {
  const end = () => {
    if (process.env.TEST_SILENT !== '1') console.error(\`Still open after the last test: \${process.getActiveResourcesInfo().join(', ')}. The process is ended\`)
    process.exit()
  }
  setTimeout(end, ${openMs}).unref()
})
resolve()
`
