import { Worker } from 'node:worker_threads'
import { storeClosed } from '../errors.ts'
import { timers } from '../timers.ts'
import type { Reply, Request } from './snapshot-protocol.ts'

/** How long a thread may take to close its connections, in milliseconds. */
const CLOSE_MS = 2000

type Question<R = Request> = R extends Request ? Omit<R, 'id'> : never

/** The main thread's side of snapshot-worker.js. */
export interface SnapshotThread {
  readonly ended: boolean
  ask(question: Question): Promise<Reply>
  /** Sets whether the thread keeps the process alive. */
  keepAlive(needed: boolean): void
  close(): Promise<void>
}

export function startThread(file: string): SnapshotThread {
  // The worker is beside this file in the sources and the compiled files, and beside the bundle as an entry of its
  // own.
  const worker = new Worker(new URL('./snapshot-worker.js', import.meta.url), {
    workerData: file,
    name: 'snapshots',
    // Rows are handed over as soon as they are read, so they need little of the 48 MiB that V8 reserves for new
    // objects.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  const pending = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>()
  let count = 0
  let reason: Error | undefined
  let closing = false
  let ended = false
  const whyEnded = () => (closing ? storeClosed() : (reason ?? new Error('the thread that reads snapshots stopped')))
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      ended = true
      for (const { reject } of pending.values()) reject(whyEnded())
      pending.clear()
      resolve()
    })
  })
  worker.on('error', (cause) => {
    reason = new Error(`the thread that reads snapshots stopped: ${cause.message}`, { cause })
  })
  worker.on('message', (reply: Reply) => {
    const asked = pending.get(reply.id)
    pending.delete(reply.id)
    if (reply.error) asked?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }))
    else asked?.resolve(reply)
  })
  worker.unref()
  return {
    get ended() {
      return ended
    },
    ask: (question) =>
      new Promise((resolve, reject) => {
        // The thread has ended and would never respond.
        if (ended) return reject(whyEnded())
        const id = ++count
        worker.postMessage({ ...question, id })
        pending.set(id, { resolve, reject })
      }),
    keepAlive: (needed) => (needed ? worker.ref() : worker.unref()),
    async close() {
      closing = true
      worker.ref()
      worker.postMessage('close')
      const timer = timers.setTimeout(() => void worker.terminate(), CLOSE_MS)
      await exited
      timers.clearTimeout(timer)
    },
  }
}
