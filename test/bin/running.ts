import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../scripts/build.ts'
import type { TemporaryFolder } from '../temporary-folder.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The command as it is published, bundled once per test process; below node_modules, where it finds its packages. */
export const commandFile = await (async () => {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'chat-server-bin-'))
  // A process that was just killed may still be letting go of its files.
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  await bundle(join(folder, 'bin'))
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  return join(folder, 'bin/chat-server.js')
})()

export interface Ended {
  code: number
  out: string
  err: string
}

/** Runs a command to its end. */
export function run(folder: TemporaryFolder, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: folder.path, env: { ...process.env, ...env }, timeout: 30_000 }
    execFile(process.execPath, [commandFile, ...args], options, (error, out, err) => {
      resolve({ code: error ? (typeof error.code === 'number' ? error.code : -1) : 0, out, err })
    })
  })
}

/** One line of the log of a server whose stderr is no terminal. */
export interface LogLine {
  time: string
  level: string
  msg: string
  [detail: string]: unknown
}

export interface Running extends AsyncDisposable {
  process: ChildProcess
  url: string
  /** Everything it has printed. */
  out(): string
  err(): string
  /** Its log. */
  log(): LogLine[]
  /** What of its log is more than information. */
  warnings(): LogLine[]
  ended: Promise<number | null>
}

/** Starts the server and waits until it prints that it listens. */
export async function start(
  folder: TemporaryFolder,
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Running> {
  const child = spawn(process.execPath, [commandFile, ...args], { cwd: folder.path, env: { ...process.env, ...env } })
  let out = ''
  let err = ''
  child.stderr.on('data', (data) => {
    err += data
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      out += data
      const ready = /^chat-server listening on (http:\S+)$/m.exec(out)
      if (ready) resolve(ready[1]!)
    })
    void ended.then((code) => reject(new Error(`ended with ${code}: ${err}`)))
  })
  const log = () =>
    err
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogLine)
  return {
    process: child,
    url,
    out: () => out,
    err: () => err,
    log,
    warnings: () => log().filter(({ level }) => level !== 'info'),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
