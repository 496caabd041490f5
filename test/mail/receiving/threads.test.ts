import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'
import { threadId, Worker } from 'node:worker_threads'
import { createThreads } from '../../../src/core/kernel/base/threads.ts'
import { eventually } from '../../eventually.ts'

type Question = 'where' | 'fail' | 'wait' | 'fail later' | 'leave'
const LONG_MS = 60_000

/** Replies with the ID of its thread. It fails later when the test says so, since an error may overtake a reply. */
const code = `
const { parentPort, threadId, workerData } = require('node:worker_threads')
parentPort.on('message', (question) => {
  if (question === 'fail') throw new Error('a bug')
  if (question === 'fail later')
    setInterval(() => { if (Atomics.load(workerData, 0) === 1) throw new Error('a late bug') }, 1)
  if (question !== 'wait') parentPort.postMessage(threadId)
  if (question === 'leave') process.exit()
})`

function threadsOf(most?: number) {
  const started: Worker[] = []
  const failing = new Int32Array(new SharedArrayBuffer(4))
  const threads = createThreads<Question, number>(() => {
    const worker = new Worker(code, { eval: true, workerData: failing })
    started.push(worker)
    return worker
  }, most)
  const ask = (question: Question, maxMs = LONG_MS, signal?: AbortSignal) =>
    threads.ask(question, { maxMs, ...(signal && { signal }) })
  return { ask, started, fail: () => void Atomics.store(failing, 0, 1) }
}

test('one thread answers one question after the other', async () => {
  const { ask, started } = threadsOf()
  const first = await ask('where')
  for (let i = 0; i < 20; i++) assert.deepEqual(await ask('where'), first)
  assert.ok('reply' in first && first.reply !== threadId)
  assert.equal(started.length, 1)
})

test('questions at the same time have threads of their own, up to the limit', async () => {
  const { ask, started } = threadsOf(2)
  const replies = await Promise.all(Array.from({ length: 6 }, () => ask('where')))
  assert.ok(replies.every((outcome) => 'reply' in outcome))
  assert.equal(started.length, 2)
})

test('a thread that fails, takes too long or is aborted answers no other question', async () => {
  const { ask, started } = threadsOf()
  assert.deepEqual(await ask('fail'), { without: 'error' })
  assert.deepEqual(await ask('wait', 1), { without: 'exit' })
  const abort = new AbortController()
  const aborted = ask('wait', LONG_MS, abort.signal)
  abort.abort()
  assert.deepEqual(await aborted, { without: 'exit' })
  assert.ok('reply' in (await ask('where')))
  assert.equal(started.length, 4)
})

test('a thread that ends or fails between questions is replaced', async () => {
  const { ask, started, fail } = threadsOf()
  assert.ok('reply' in (await ask('leave')))
  await eventually('the thread ends', () => started[0]!.threadId === -1)
  assert.ok('reply' in (await ask('fail later')))
  fail()
  await eventually('the other thread ends', () => started[1]!.threadId === -1)
  assert.ok('reply' in (await ask('where')))
  assert.equal(started.length, 3)
})

test('an idle thread keeps no process alive', () => {
  const { href } = new URL('../../../src/core/kernel/base/threads.ts', import.meta.url)
  const program = `
    import { Worker } from 'node:worker_threads'
    const { createThreads } = await import(${JSON.stringify(href)})
    const code = ${JSON.stringify(code)}
    let isEnded = false
    const threads = createThreads(() => {
      const worker = new Worker(code, { eval: true, execArgv: [] })
      const { terminate } = worker
      worker.terminate = () => (isEnded = true, terminate.call(worker))
      return worker
    })
    await threads.ask('where', { maxMs: ${LONG_MS} })
    process.on('beforeExit', () => console.log(isEnded))`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  // The process did not wait until the thread was idle for long.
  assert.deepEqual([status, stdout], [0, 'false\n'], stderr)
})
