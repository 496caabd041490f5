import { setFlagsFromString } from 'node:v8'

/** Commands that read or write everything, and keep little of it. */
const LONG = ['import', 'export']

/**
 * Makes V8 collect garbage early in a process that runs a long command. Otherwise its heap grows to many times what is
 * in use: an import of 1,000,000 messages took 365 to 487 MiB, and 31 MiB were alive. This takes about 5 % more
 * processor time. Flags that Node was started with take precedence.
 */
export function keepHeapSmall(command: string | undefined): void {
  if (!LONG.includes(command ?? '')) return
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ')
  if (/--(max-|min-)?(semi-space|old-space|heap)/.test(given)) return
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=30')
}
