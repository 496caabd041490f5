import { setFlagsFromString } from 'node:v8'

/** Longer than a start takes. Long commands and migrations are optimized after it too. */
const AFTER_MS = 1000

/**
 * Switches V8's optimizing compilers off for the first second. A start runs too briefly to gain from them, and their
 * code and data stay in memory: about 8 MiB. Flags that Node was started with take precedence.
 */
export function optimizeLate(): void {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ')
  if (/--(no-?)?(opt|maglev|turbofan|jitless|lite-mode)\b/.test(given)) return
  const compilers = ['opt', ...(hasMaglev() ? ['maglev'] : [])]
  for (const name of compilers) setFlagsFromString(`--no-${name}`)
  setTimeout(() => {
    for (const name of compilers) setFlagsFromString(`--${name}`)
  }, AFTER_MS).unref()
}

/** Whether V8's second optimizing compiler is on by default. Node 22 has it, but off. */
const hasMaglev = (): boolean =>
  Number.parseInt(process.versions.node, 10) >= 24 && ['x64', 'arm64'].includes(process.arch)
