import { leads } from '../../events/log/follow-peers.ts'
import type { Importer } from '../../files/import-uploads.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import { storeOf } from '../../kernel/store.ts'
import { lockAmongPeers } from '../exports/alone.ts'
import { emptyJobFolder, type ImportJob, jobOf } from './job.ts'

/** Milliseconds until the leader looks again for a job of another process, which sends no event for it. */
const LOOK_MS = 2000

/** Works on the job of this chat. A job that was cut off resumes when the chat is opened. */
export function startImporter(chat: Chat): Importer {
  const abort = new AbortController()
  const context = contextOf(chat, { signal: abort.signal })
  let running: Promise<void> = Promise.resolve()
  let last: Promise<void> = Promise.resolve()
  async function alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    try {
      await before
      const unlock = await lockAmongPeers(chat, 'import', abort.signal, () => {})
      try {
        return await work(abort.signal)
      } finally {
        await unlock()
      }
    } finally {
      resolve()
    }
  }
  const run = async () => {
    while (!abort.signal.aborted && leads(chat)) {
      const job = await jobOf(context.db)
      // A job that was discarded has left its archive.
      if (!job) return emptyJobFolder(chat)
      if (!isWaiting(job)) return
      // Loaded only if there is something to do.
      const { runJob } = await import('./run-job.ts')
      await alone(async (signal) => {
        const current = await jobOf(context.db)
        if (current && isWaiting(current)) await runJob(context, current, signal)
      })
    }
  }
  let cancel = () => {}
  const wake = () => {
    running = running
      .then(run)
      .catch((error) => {
        if (!abort.signal.aborted) chat.options.logger.error({ err: error }, 'the import in progress failed')
      })
      .then(() => {
        cancel()
        if (storeOf(chat).peers && !abort.signal.aborted) cancel = chat.clock.after(LOOK_MS, wake)
      })
  }
  return {
    wake,
    alone,
    settled: () => running,
    async stop() {
      abort.abort(new Error('the chat was closed'))
      cancel()
      await running
    },
  }
}

const isWaiting = ({ phase }: ImportJob): boolean => ['checking', 'importing', 'undoing'].includes(phase)
