import { Worker } from 'node:worker_threads'
import { createThreads } from '../../kernel/base/threads.ts'
import type { ParsedMail, ParseQuestion } from './parse-protocol.ts'

/** Time and memory for one email. */
const MAX_MS = 5000
const MAX_MIB = 256
/** Emails that are parsed at the same time. */
const MAX_THREADS = 2

/** An email that can't be read, and won't be readable later. */
export class UnreadableMail extends Error {}

const start = () =>
  // The worker is beside this file in the sources and the compiled files, and beside the bundle as an entry of its own.
  new Worker(new URL('./parse-mail-worker.js', import.meta.url), {
    name: 'email',
    resourceLimits: { maxOldGenerationSizeMb: MAX_MIB },
  })
const threads = createThreads<ParseQuestion, ParsedMail | { problem: string }>(start, MAX_THREADS)

/**
 * Parses an email in a thread, so that a hostile one delays nothing else. The thread may take over its memory.
 *
 * @throws UnreadableMail if it breaks a limit or takes too long
 */
export async function parseMail(raw: Uint8Array, maxMs = MAX_MS): Promise<ParsedMail> {
  // The thread takes its memory over. Small buffers share their memory with others.
  const own = raw.byteLength === raw.buffer.byteLength ? raw : new Uint8Array(raw)
  const question = { raw: new Uint8Array(own.buffer) }
  const outcome = await threads.ask(question, { maxMs, transfer: [own.buffer as ArrayBuffer] })
  if ('without' in outcome)
    throw new UnreadableMail(
      outcome.without === 'error' ? 'The email could not be read' : 'The email takes too long to read',
    )
  const { reply } = outcome
  if ('problem' in reply) throw new UnreadableMail(`The email is damaged: ${reply.problem}`)
  return reply
}
