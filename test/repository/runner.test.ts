import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { readFlags } from '../runner/flags.ts'
import { type Outcome, runJob } from '../runner/job.ts'
import { distribute } from '../runner/share.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

test('divides files evenly by duration and starts the longest first', () => {
  const seconds: Record<string, number> = { a: 9, b: 5, c: 4, d: 3, e: 2, f: 1 }
  const shares = distribute(Object.keys(seconds), (file) => seconds[file]!, { most: 9 })
  assert.deepEqual(
    shares.map((share) => share.seconds),
    [9, 8, 7],
  )
  assert.deepEqual(shares.flatMap(({ files }) => files).sort(), Object.keys(seconds))
  assert.equal(distribute(['a', 'b'], () => 1, { most: 100, least: 3 }).length, 2)
  assert.deepEqual(
    distribute([], () => 1, { most: 1 }),
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

async function outcomesOf(files: Record<string, string>, openMs = 10_000) {
  using folder = new TemporaryFolder()
  mkdirSync(join(folder.path, 'tests'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, 'tests', name), text)
  const job = { suite: 'sqlite', files: Object.keys(files).map((name) => `tests/${name}`), seconds: 1 } as const
  const env = { NODE_TEST_CONTEXT: undefined, TEST_SILENT: '1' }
  const stop = new AbortController().signal
  const { outcomes } = await runJob(job, {
    root: folder.path,
    folder: folder.path,
    options: [],
    env,
    stop,
    openMs,
  })
  return outcomes
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

test('rejects a path part that matches no file', () => {
  const { status, stderr } = spawnSync(process.execPath, ['test/run.js', 'no-such-part'], { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(stderr, /no test file found for no-such-part/)
})
