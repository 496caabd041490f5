import { setMaxListeners } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { onlyOnSqlite } from '../postgres/left-out.js'
import { durations, record } from './durations.ts'
import { type Flags, readFlags, type Suite } from './flags.ts'
import { createJob, hasMore, type Job, type JobResult, runJob } from './job.ts'
import { processorSeconds } from './processor-seconds.ts'
import { distribute, longestFirst } from './share.ts'
import { summarize } from './summary.ts'

const root = join(import.meta.dirname, '../..')
const SMOKE = 'test/web/smoke.test.ts'
/** A browser's tests wait for its page most of the time. */
const BROWSERS = 3

/** Runs the tests that the command line asks for. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const began = performance.now()
  const flags = readFlags(args)
  const plan = filesToRun(flags)
  if (plan.size === 0) {
    console.error(`no test file found${flags.wanted.length > 0 ? ` for ${flags.wanted.join(', ')}` : ''}`)
    return 1
  }
  const secondsOf = durations(flags.full)
  // An interrupted runner ends its tests, too.
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())
  const stop = interruption.signal
  setMaxListeners(0, stop)
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-tests-'))
  const jobs = [...plan].map(([suite, files]) => {
    const seconds = (file: string) => secondsOf(suite, file)
    return createJob(suite, longestFirst(shardOf(files, seconds, flags.shard), seconds), folder)
  })
  // Starts while other tests run.
  const server = plan.has('postgres') && !process.env.DATABASE_URL ? startPostgres() : undefined
  server?.catch(() => {})
  const database = async () => process.env.DATABASE_URL ?? (await server)?.url
  const preload = `--import=${new URL('../postgres/preload.js', import.meta.url)}`
  const { DATABASE_URL: _, ...surroundings } = process.env
  const run = async (job: Job): Promise<JobResult> => {
    const onPostgres = job.suite === 'postgres'
    const result = await runJob(job, {
      root,
      folder,
      stop,
      options: [...(onPostgres ? [preload] : []), ...flags.node],
      env: {
        ...surroundings,
        DATABASE_URL: onPostgres ? await database() : undefined,
        TEST_FULL: flags.full ? '1' : undefined,
        TEST_LISTS: flags.wanted.length > 0 ? '1' : undefined,
        NODE_V8_COVERAGE: job.suite === 'sqlite' ? flags.coverage : undefined,
      },
    })
    if (result.outcomes.length > 0) console.log(line(result))
    return result
  }
  let results: readonly JobResult[]
  try {
    const ofBrowser = jobs.filter(({ suite }) => suite === 'browser')
    const computing = jobs.filter(({ suite }) => suite !== 'browser')
    const browsers = inProcesses(BROWSERS, ofBrowser, run, stop)
    const others = inProcesses(availableParallelism(), computing, run, stop)
    // Some tests wait for other processes, so one process more keeps the processors busy when the browsers no longer do.
    const more = browsers.then(() => inProcesses(1, computing, run, stop))
    results = (await Promise.all([browsers, others, more])).flat()
    if (flags.record && !stop.aborted)
      for (const suite of plan.keys())
        record(suite, flags.full, measured(results.filter((result) => result.suite === suite)))
  } finally {
    await (await server)?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  }
  const seconds = (performance.now() - began) / 1000
  return summarize(results, { seconds, processor: processorSeconds() }) ? 0 : 1
}

/** Returns the files of each suite that has some. */
function filesToRun({ suites, wanted, leftOut, full }: Flags): Map<Suite, readonly string[]> {
  const files = readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
    .filter((file) => !leftOut.some((part) => file.includes(part)))
    .sort()
  const isBrowser = (file: string) => /^test\/web\/[^/]+$/.test(file)
  const lists: Record<Suite, readonly string[]> = {
    sqlite: files.filter((file) => !isBrowser(file)),
    browser: files.filter(isBrowser),
    postgres: files.filter((file) => wanted.length > 0 || !(file.split('/')[1]! in onlyOnSqlite)),
  }
  // `npm test` leaves most of the browser's tests to `npm run test:all`.
  if (suites.length === 0 && wanted.length === 0 && !full)
    lists.browser = lists.browser.filter((file) => file === SMOKE)
  const chosen: readonly Suite[] = suites.length > 0 ? suites : ['sqlite', 'browser']
  return new Map(chosen.filter((suite) => lists[suite].length > 0).map((suite) => [suite, lists[suite]]))
}

function shardOf(
  files: readonly string[],
  seconds: (file: string) => number,
  { part, of }: Flags['shard'],
): readonly string[] {
  return of === 1 ? files : (distribute(files, seconds, of)[part - 1]?.files ?? [])
}

/** Runs the jobs in order, each in so many processes at a time, until it is stopped. */
async function inProcesses(
  atOnce: number,
  jobs: readonly Job[],
  run: (job: Job) => Promise<JobResult>,
  stop: AbortSignal,
): Promise<JobResult[]> {
  const results: JobResult[] = []
  const worker = async (_: unknown, place: number) => {
    for (const job of jobs) {
      if (place >= job.files.length) continue
      // A process that broke leaves files to another one.
      for (let took = true; took && hasMore(job) && !stop.aborted; ) {
        const result = await run(job)
        results.push(result)
        took = result.files.length > 0
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

async function startPostgres() {
  const { startPostgres } = await import('../postgres/server.ts')
  return startPostgres()
}

/** How long each file took. */
const measured = (results: readonly JobResult[]): Map<string, number> =>
  new Map(results.flatMap(({ costs }) => costs.map(({ file, seconds }) => [file, seconds] as const)))

function line({ suite, files, seconds, outcomes }: JobResult): string {
  const failed = outcomes.filter(({ result }) => result === 'failed').length
  const which = files.length === 1 ? files[0]! : `${files.length} files`
  const tests = `${outcomes.length} tests${failed > 0 ? `, ${failed} failed` : ''}`
  return `${failed > 0 ? '✖' : '✔'} ${suite}: ${tests} in ${seconds.toFixed(1)} s (${which})`
}
