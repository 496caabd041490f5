import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_EVERY_MS = 1000
/** Share of the time. */
const IDLE = 0.05

/**
 * Returns memory that only the start needed to the system, about 10 MiB, in the first second in which the process is
 * idle. V8 keeps it otherwise. This stops the event loop for about 60 ms, so a busy server keeps the memory.
 */
export function releaseMemoryWhenIdle(): void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > IDLE) return
    clearInterval(timer)
    // Node's only way to ask for a collection in a process that was started without options.
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, LOOK_EVERY_MS)
  timer.unref()
}
