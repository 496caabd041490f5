import type { Io } from './io.ts'

const PARENT_CHECK_MS = 500

/**
 * Calls `stop` once, with the reason, when this process should end: on a signal, or when the npm that started
 * it ends.
 *
 * @NOTE npm does not pass SIGHUP on, and npx starts a shell that passes on no signal: they end, and the server would
 * stay.
 */
export function onStop(io: Io, stop: (reason: string) => Promise<void>): void {
  let stopping = false
  const stopOnce = (reason: string) => {
    if (stopping) return
    stopping = true
    void stop(reason)
  }
  // SIGHUP is sent when the terminal is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) io.on(signal, stopOnce)
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stopOnce('the end of npm')
  }, PARENT_CHECK_MS).unref()
}
