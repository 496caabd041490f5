import type { Transferable, Worker } from 'node:worker_threads'
import { timers } from './timers.ts'

/** Starting a thread takes much longer than answering most questions, and questions often come several at a time. */
const IDLE_MS = 5000

/** Node's ID of a thread that has ended. */
const ENDED = -1

interface Limits {
  /** The thread is ended after this time, which includes its start. */
  maxMs: number
  /** Ends the thread. */
  signal?: AbortSignal
  /** Memory that the thread takes over. */
  transfer?: readonly Transferable[]
}

/** The reply of a thread, or how it ended without one: it failed, or it was ended. */
export type Outcome<Reply> = { readonly reply: Reply } | { readonly without: 'error' | 'exit' }

export interface Threads<Question, Reply> {
  ask(question: Question, limits: Limits): Promise<Outcome<Reply>>
}

/**
 * Creates threads for data from strangers. Each answers one question at a time, so that a hostile one delays nothing else, then the next
 * one, until none has come for some seconds. An idle thread keeps no process alive.
 *
 * @param start - starts a thread with a limit for its memory. It posts one message for each message that it gets
 * @param most - limit of threads at the same time
 */
export function createThreads<Question, Reply>(
  start: () => Worker,
  most = Number.POSITIVE_INFINITY,
): Threads<Question, Reply> {
  const idle = new Map<Worker, NodeJS.Timeout>()
  const waiting: (() => void)[] = []
  let running = 0

  function take(): Worker {
    const [spare] = idle.keys()
    if (!spare) return start()
    timers.clearTimeout(idle.get(spare))
    idle.delete(spare)
    forget(spare)
    spare.ref()
    return spare
  }

  function keep(worker: Worker): void {
    const end = () => {
      idle.delete(worker)
      void worker.terminate()
    }
    worker.once('error', end).once('exit', end)
    worker.unref()
    idle.set(worker, timers.setTimeout(end, IDLE_MS).unref())
  }

  async function replyOf(worker: Worker, question: Question, { maxMs, signal, transfer = [] }: Limits) {
    const { promise, resolve } = Promise.withResolvers<Outcome<Reply>>()
    let isStopped = false
    const stop = () => {
      isStopped = true
      void worker.terminate().then(() => resolve({ without: 'exit' }))
    }
    const timer = timers.setTimeout(stop, maxMs)
    signal?.addEventListener('abort', stop)
    worker.once('message', (reply: Reply) => resolve(isStopped ? { without: 'exit' } : { reply }))
    worker.once('error', () => resolve({ without: 'error' }))
    worker.once('exit', () => resolve({ without: 'exit' }))
    worker.postMessage(question, transfer)
    try {
      return await promise
    } finally {
      timers.clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      forget(worker)
    }
  }

  return {
    async ask(question, limits) {
      while (running >= most) await new Promise<void>((next) => waiting.push(next))
      running++
      try {
        const worker = take()
        const outcome = await replyOf(worker, question, limits)
        if (!('reply' in outcome)) await worker.on('error', () => {}).terminate()
        // It may have ended right after its reply.
        else if (worker.threadId !== ENDED) keep(worker)
        return outcome
      } finally {
        running--
        waiting.shift()?.()
      }
    },
  }
}

/** Removes what listens to a thread. */
function forget(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
}
