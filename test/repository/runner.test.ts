import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { readFlags } from '../runner/flags.ts'
import { createJob, hasMore, type Outcome, runJob } from '../runner/job.ts'
import { distribute } from '../runner/share.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

test('divides files evenly by duration and starts the longest first', () => {
  const seconds: Record<string, number> = { a: 9, b: 5, c: 4, d: 3, e: 2, f: 1 }
  const shares = distribute(Object.keys(seconds), (file) => seconds[file]!, 3)
  assert.deepEqual(
    shares.map((share) => share.seconds),
    [9, 8, 7],
  )
  assert.deepEqual(shares.flatMap(({ files }) => files).sort(), Object.keys(seconds))
  assert.equal(distribute(['a', 'b'], () => 1, 3).length, 2)
  assert.deepEqual(
    distribute([], () => 1, 3),
    [],
  )
})

test('flags select suites, path parts and Node options', () => {
  const flags = readFlags(['--browser', '--shard=2/3', 'web/', '!push', '--test-name-pattern=a b'])
  assert.deepEqual(flags, {
    suites: ['browser'],
    wanted: ['web/'],
    leftOut: ['push'],
    full: process.env.TEST_FULL === '1',
    shard: { part: 2, of: 3 },
    coverage: undefined,
    record: false,
    node: ['--test-name-pattern=a b'],
  })
  assert.deepEqual(readFlags(['--all']).suites, ['sqlite', 'browser', 'postgres'])
  assert.equal(readFlags(['--all']).full, true)
  assert.throws(() => readFlags(['--shard=4/3']), /4\/3/)
})

/** Runs files in so many processes, and returns the outcomes of each. */
async function outcomesIn(
  processes: number,
  files: Record<string, string>,
  options: { openMs?: number; node?: string[] } = {},
) {
  using folder = new TemporaryFolder()
  mkdirSync(join(folder.path, 'tests'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, 'tests', name), text)
  const paths = Object.keys(files).map((name) => `tests/${name}`)
  const job = createJob('sqlite', paths, folder.path)
  const env = { NODE_TEST_CONTEXT: undefined, TEST_SILENT: '1' }
  const stop = new AbortController().signal
  const { openMs = 10_000, node = [] } = options
  const run = () => runJob(job, { root: folder.path, folder: folder.path, options: node, env, stop, openMs })
  const results = await Promise.all(Array.from({ length: processes }, run))
  return { job, results, hasMore: hasMore(job) }
}

async function outcomesOf(files: Record<string, string>, openMs?: number) {
  const { results } = await outcomesIn(1, files, { ...(openMs !== undefined && { openMs }) })
  return results[0]!.outcomes
}

/** Without what differs from run to run. */
const summaries = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ name, result, failure }) => ({ name, result, failure: failure !== undefined }))

const test_ = "import test from 'node:test'\n"
const passes = `${test_}test('passes', () => {})`

test('fails on failed tests, open handles, broken files and crashed processes', async () => {
  assert.deepEqual(
    summaries(
      await outcomesOf({ 'a.mjs': `${test_}test('breaks', () => { throw new Error('no') })`, 'b.mjs': passes }),
    ),
    [
      { name: 'breaks', result: 'failed', failure: true },
      { name: 'passes', result: 'passed', failure: false },
    ],
  )
  const loading = await outcomesOf({ 'a.mjs': "throw new Error('no')", 'b.mjs': passes })
  assert.match(loading[0]!.name, /^load .*a\.mjs$/)
  assert.deepEqual(
    loading.map(({ result }) => result),
    ['failed', 'passed'],
  )
  const [broken] = summaries(await outcomesOf({ 'a.mjs': `${test_}test('ends', () => process.exit(3))` }))
  assert.deepEqual(broken, { name: 'tests/a.mjs', result: 'failed', failure: true })
  const late = `${test_}import { once, EventEmitter } from 'node:events'
const moment = new EventEmitter()
test('leaves a promise behind', () => void once(moment, 'end').then(() => { throw new Error('too late') }))
test('passes', async () => { await null; setImmediate(() => moment.emit('end')); await new Promise(setImmediate) })`
  const [, , after] = await outcomesOf({ 'a.mjs': late })
  assert.match(after!.failure!, /no failed test\n✖ .*too late/s)
  const open = `${test_}test('leaves open', () => { setInterval(() => {}, 1000); throw new Error('no') })`
  const [left] = summaries(await outcomesOf({ 'a.mjs': open }, 1000))
  assert.deepEqual(left, { name: 'leaves open', result: 'failed', failure: true })
  const [none] = summaries(await outcomesOf({ 'a.mjs': '' }))
  assert.deepEqual(none, { name: 'tests/a.mjs', result: 'failed', failure: true })
})

test('processes share the files, and each file runs once', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `${i}.mjs`)
  const files = Object.fromEntries(names.map((name) => [name, `${test_}test('${name}', () => {})`]))
  for (const node of [[], ['--test-name-pattern=mjs']]) {
    const { results, hasMore } = await outcomesIn(3, files, { node })
    assert.equal(hasMore, false)
    assert.deepEqual(
      results.flatMap(({ outcomes }) => outcomes.map(({ name, result }) => `${name} ${result}`)).sort(),
      names.map((name) => `${name} passed`).sort(),
    )
    assert.deepEqual(results.flatMap((result) => result.files).sort(), names.map((name) => `tests/${name}`).sort())
  }
})

test('a process that breaks leaves the files after it to the next one', async () => {
  const files = { 'a.mjs': passes, 'b.mjs': `${test_}test('ends', () => process.exit(3))`, 'c.mjs': passes }
  const { results, hasMore } = await outcomesIn(1, files)
  assert.equal(hasMore, true)
  assert.deepEqual(results[0]!.files, ['tests/a.mjs', 'tests/b.mjs'])
  assert.match(results[0]!.outcomes.at(-1)!.failure!, /the process of tests\/b\.mjs ended with code 3/)
})

test('rejects a path part that matches no file', () => {
  const { status, stderr } = spawnSync(process.execPath, ['test/run.js', 'no-such-part'], { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(stderr, /no test file found for no-such-part/)
})
