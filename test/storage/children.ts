import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { quickStart } from '../quick-start.ts'

export interface Child extends AsyncDisposable {
  process: ChildProcess
  /** The next line it prints. */
  line(): Promise<string>
  ended: Promise<number | null>
}

const file = fileURLToPath(new URL('child.ts', import.meta.url))

/** Another process, running test/storage/child.ts. */
export const child = (...args: string[]): Child => running(file, args, process.env)

/** The same for a process that is killed: it writes no coverage, so it starts without. */
export const killedChild = (...args: string[]): Child => running(file, args)

/** Another process that runs this file. */
export function running(
  script: string,
  args: readonly string[],
  env = quickStart(),
  stdin: 'ignore' | 'pipe' = 'ignore',
): Child {
  const process_ = spawn(process.execPath, [script, ...args], {
    env,
    stdio: [stdin, 'pipe', 'inherit'],
  })
  const lines: string[] = []
  let tell = () => {}
  let rest = ''
  process_.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop()!
    lines.push(...parts)
    tell()
  })
  const ended = new Promise<number | null>((resolve) => process_.once('exit', resolve))
  return {
    process: process_,
    ended,
    async line() {
      while (lines.length === 0) {
        const over = await Promise.race([new Promise<void>((resolve) => (tell = resolve)), ended.then(() => 'over')])
        if (over && lines.length === 0) throw new Error('the process ended without a word')
      }
      return lines.shift()!
    },
    async [Symbol.asyncDispose]() {
      process_.kill('SIGKILL')
      await ended
    },
  }
}
