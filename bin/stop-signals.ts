import type { Io } from './io.ts'

const PARENT_CHECK_MS = 500

/**
 * Calls `stop` once, with the reason, when this process should end: on a signal, or when the npm that started it ends.
 * With `stopWithStdin`, it also ends with standard input.
 *
 * @NOTE npm doesn't forward SIGHUP, and npx starts a shell that forwards no signals. Both end without stopping the
 * server.
 */
export function onStop(io: Io, stop: (reason: string) => Promise<void>, { stopWithStdin = false } = {}): void {
  let stopping = false
  const stopOnce = (reason: string) => {
    if (stopping) return
    stopping = true
    void stop(reason)
  }
  // The terminal sends SIGHUP when it closes.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) io.on(signal, stopOnce)
  if (stopWithStdin)
    process.stdin
      .on('error', () => {})
      .once('close', () => stopOnce('standard input closed'))
      .resume()
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stopOnce('npm exited')
  }, PARENT_CHECK_MS).unref()
}
