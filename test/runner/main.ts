import { setMaxListeners } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { onlyOnSqlite } from '../postgres/left-out.js'
import { durations, record } from './durations.ts'
import { type Flags, readFlags, type Suite } from './flags.ts'
import { type Job, type JobResult, runJob } from './job.ts'
import { processorSeconds } from './processor-seconds.ts'
import { distribute } from './share.ts'
import { summarize } from './summary.ts'

const root = join(import.meta.dirname, '../..')
const SMOKE = 'test/web/smoke.test.ts'
/** Seconds that the files of one process take, about. Each process loads the program, which takes a second. */
const JOB_SECONDS = 25
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
  const jobsOf = (suite: Suite): Job[] => {
    const seconds = (file: string) => secondsOf(suite, file)
    const { part, of } = flags.shard
    const files = part === of && of === 1 ? plan.get(suite)! : shardOf(plan.get(suite)!, seconds, flags.shard)
    const shares =
      suite === 'browser'
        ? distribute(files, seconds, { most: Number.POSITIVE_INFINITY, least: BROWSERS })
        : distribute(files, seconds, { most: JOB_SECONDS, least: availableParallelism() + 1 })
    return shares.map((share) => ({ suite, ...share }))
  }
  // An interrupted runner ends its tests, too.
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())
  const stop = interruption.signal
  setMaxListeners(0, stop)
  const folder = mkdtempSync(join(tmpdir(), 'chat-server-tests-'))
  const server = plan.has('postgres') && !process.env.DATABASE_URL ? await startPostgres() : undefined
  const url = process.env.DATABASE_URL ?? server?.url
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
        DATABASE_URL: onPostgres ? url : undefined,
        TEST_FULL: flags.full ? '1' : undefined,
        TEST_LISTS: flags.wanted.length > 0 ? '1' : undefined,
        NODE_V8_COVERAGE: job.suite === 'sqlite' ? flags.coverage : undefined,
      },
    })
    console.log(line(result))
    return result
  }
  let results: readonly JobResult[]
  try {
    const suites = [...plan.keys()]
    const computing = suites
      .filter((suite) => suite !== 'browser')
      .flatMap(jobsOf)
      .values()
    const browsers = inTurn((plan.has('browser') ? jobsOf('browser') : []).values(), BROWSERS, run, stop)
    const others = inTurn(computing, availableParallelism(), run, stop)
    // Some tests wait for other processes, so one process more keeps the processors busy when the browsers no longer do.
    const more = browsers.then(() => inTurn(computing, 1, run, stop))
    results = (await Promise.all([browsers, others, more])).flat()
    if (flags.record && !stop.aborted)
      for (const suite of suites) record(suite, flags.full, measured(results.filter(({ job }) => job.suite === suite)))
  } finally {
    await server?.[Symbol.asyncDispose]()
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

function shardOf(files: readonly string[], seconds: (file: string) => number, { part, of }: Flags['shard']): string[] {
  return distribute(files, seconds, { most: Number.POSITIVE_INFINITY, least: of })[part - 1]?.files ?? []
}

/** Runs the next jobs in order, so many at a time, until it is stopped. */
async function inTurn(
  jobs: IterableIterator<Job>,
  atOnce: number,
  run: (job: Job) => Promise<JobResult>,
  stop: AbortSignal,
): Promise<JobResult[]> {
  const results: JobResult[] = []
  const worker = async () => {
    for (const job of jobs) {
      if (stop.aborted) return
      results.push(await run(job))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

async function startPostgres() {
  const { startPostgres } = await import('../postgres/server.ts')
  return startPostgres()
}

/** Sums up the tests of each file. */
function measured(results: readonly JobResult[]): Map<string, number> {
  const seconds = new Map<string, number>()
  for (const { outcomes } of results) {
    for (const { file, ms, nesting } of outcomes) {
      if (nesting === 0) seconds.set(file, (seconds.get(file) ?? 0) + ms / 1000)
    }
  }
  return seconds
}

function line({ job, seconds, outcomes }: JobResult): string {
  const failed = outcomes.filter(({ result }) => result === 'failed').length
  const files = job.files.length === 1 ? job.files[0]! : `${job.files.length} files, from ${job.files[0]}`
  const tests = `${outcomes.length} tests${failed > 0 ? `, ${failed} failed` : ''}`
  return `${failed > 0 ? '✖' : '✔'} ${job.suite}: ${tests} in ${seconds.toFixed(1)} s (${files})`
}
