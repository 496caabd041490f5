import { setTimeout } from 'node:timers/promises'

/**
 * Looks again and again until something is so. How long that takes is the machine's business: by itself half a minute, after which
 * `what` says what never was.
 *
 * @example await eventually('the poll waits', () => busOf(w.chat).waiting() === 1)
 */
export async function eventually(what: string | (() => string), isSo: () => unknown, seconds = 30): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`never true: ${typeof what === 'string' ? what : what()}`)
    await setTimeout(20)
  }
}
