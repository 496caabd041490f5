import { Worker } from 'node:worker_threads'
import { createThreads } from '../../kernel/base/threads.ts'
import type { Question, Reply } from './read-protocol.ts'

/** Time and memory for one document. Rules of calendars can repeat forever, so nothing else ends them. */
const MAX_MS = 10_000
const MAX_MIB = 256

const start = () =>
  // The worker is beside this file in the sources and the compiled files, and beside the bundle as an entry of its own.
  new Worker(new URL('./read-feed-worker.js', import.meta.url), {
    name: 'feeds',
    resourceLimits: { maxOldGenerationSizeMb: MAX_MIB },
  })
const threads = createThreads<Question, Reply | { problem: string }>(start)

/**
 * Reads a document of another server in a thread, so that a hostile one delays nothing else.
 *
 * @throws Error if it isn't what it should be, or takes too long
 */
export async function readInThread(question: Question, signal: AbortSignal, maxMs = MAX_MS): Promise<Reply> {
  const outcome = await threads.ask(question, { maxMs, signal })
  if ('without' in outcome)
    throw new Error(
      outcome.without === 'error' ? 'the document could not be read' : 'the document takes too long to read',
    )
  const { reply } = outcome
  if ('problem' in reply) throw new Error(reply.problem)
  return reply
}
