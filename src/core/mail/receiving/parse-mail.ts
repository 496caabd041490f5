import { Worker } from 'node:worker_threads'
import { timers } from '../../kernel/base/timers.ts'
import type { ParsedMail } from './parse-protocol.ts'

/** Time and memory for one email. */
const MAX_MS = 5000
const MAX_MIB = 256
/** Emails that are parsed at the same time. */
const MAX_THREADS = 2

let running = 0
const waiting: (() => void)[] = []

/** An email that can't be read, and won't be readable later. */
export class UnreadableMail extends Error {}

/**
 * Parses an email in a thread of its own, so that a hostile one delays nothing else. The thread may take over its memory.
 *
 * @throws UnreadableMail if it breaks a limit or takes too long
 */
export async function parseMail(raw: Uint8Array, maxMs = MAX_MS): Promise<ParsedMail> {
  while (running >= MAX_THREADS) await new Promise<void>((next) => waiting.push(next))
  running++
  try {
    return await inThread(raw, maxMs)
  } finally {
    running--
    waiting.shift()?.()
  }
}

async function inThread(raw: Uint8Array, maxMs: number): Promise<ParsedMail> {
  // The thread takes its memory over. Small buffers share their memory with others.
  const own = raw.byteLength === raw.buffer.byteLength ? raw : new Uint8Array(raw)
  // The worker is beside this file in the sources and the compiled files, and beside the bundle as an entry of its own.
  const worker = new Worker(new URL('./parse-mail-worker.js', import.meta.url), {
    workerData: { raw: new Uint8Array(own.buffer) },
    transferList: [own.buffer as ArrayBuffer],
    name: 'email',
    resourceLimits: { maxOldGenerationSizeMb: MAX_MIB },
  })
  const timer = timers.setTimeout(() => void worker.terminate(), maxMs)
  try {
    return await new Promise<ParsedMail>((resolve, reject) => {
      worker.once('message', (reply: ParsedMail | { problem: string }) =>
        'problem' in reply ? reject(new UnreadableMail(`The email is damaged: ${reply.problem}`)) : resolve(reply),
      )
      worker.once('error', () => reject(new UnreadableMail('The email could not be read')))
      worker.once('exit', () => reject(new UnreadableMail('The email takes too long to read')))
    })
  } finally {
    timers.clearTimeout(timer)
    await worker.terminate()
  }
}
