import { Worker } from 'node:worker_threads'
import { timers } from '../../kernel/base/timers.ts'
import type { Question, Reply } from './read-protocol.ts'

/** Time and memory for one document. Rules of calendars can repeat forever, so nothing else ends them. */
const MAX_MS = 10_000
const MAX_MIB = 256

/**
 * Reads a document of another server in a thread of its own, so that a hostile one delays nothing else.
 *
 * @throws Error if it isn't what it should be, or takes too long
 */
export async function readInThread(question: Question, signal: AbortSignal, maxMs = MAX_MS): Promise<Reply> {
  // The worker is beside this file in the sources and the compiled files, and beside the bundle as an entry of its own.
  const worker = new Worker(new URL('./read-feed-worker.js', import.meta.url), {
    workerData: question,
    name: 'feeds',
    resourceLimits: { maxOldGenerationSizeMb: MAX_MIB },
  })
  const stop = () => void worker.terminate()
  const timer = timers.setTimeout(stop, maxMs)
  signal.addEventListener('abort', stop)
  try {
    return await new Promise<Reply>((resolve, reject) => {
      worker.once('message', (reply: Reply | { problem: string }) =>
        'problem' in reply ? reject(new Error(reply.problem)) : resolve(reply),
      )
      worker.once('error', () => reject(new Error('the document could not be read')))
      worker.once('exit', () => reject(new Error('the document takes too long to read')))
    })
  } finally {
    timers.clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
