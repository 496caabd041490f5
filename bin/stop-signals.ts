const PARENT_CHECK_MS = 500

/**
 * Calls `stop` once, with the reason, when this process is told to end: by a signal, or by the end of the npm that
 * started it.
 *
 * @NOTE npm passes no SIGHUP on, and npx starts a shell that passes on nothing: they end, and the server would stay.
 */
export function onStop(stop: (reason: string) => Promise<void>): void {
  let stopping = false
  const stopOnce = (reason: string) => {
    if (stopping) return
    stopping = true
    void stop(reason)
  }
  // SIGHUP comes when the terminal is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopOnce)
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stopOnce('the end of npm')
  }, PARENT_CHECK_MS).unref()
}
