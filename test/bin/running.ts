import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { quickStart } from '../quick-start.ts'
import { bundledCommand } from './bundled.ts'
import { type Ended, logOf, type Served, urlIn } from './output.ts'

/** The command as it is published. */
export const commandFile = join(await bundledCommand(), 'bin/chat-server.js')

/** Runs a command to its end, as a process. */
export function run(
  folder: { path: string },
  args: string[],
  env: NodeJS.ProcessEnv = {},
  file = commandFile,
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: folder.path, env: { ...quickStart(), ...env }, timeout: 30_000 }
    execFile(process.execPath, [file, ...args], options, (error, out, err) => {
      resolve({ code: error ? (typeof error.code === 'number' ? error.code : -1) : 0, out, err })
    })
  })
}

export interface Running extends Served {
  process: ChildProcess
  ended: Promise<number | null>
}

/** Starts the server as a process and waits until it prints that it listens. */
export async function start(
  folder: { path: string },
  args: string[] = [],
  env: NodeJS.ProcessEnv = {},
  file = commandFile,
): Promise<Running> {
  const child = spawn(process.execPath, [file, ...args], { cwd: folder.path, env: { ...quickStart(), ...env } })
  let out = ''
  let err = ''
  child.stderr.on('data', (data) => {
    err += data
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      out += data
      const listening = urlIn(out)
      if (listening) resolve(listening)
    })
    void ended.then((code) => reject(new Error(`ended with ${code}: ${err}`)))
  })
  return {
    process: child,
    url,
    out: () => out,
    err: () => err,
    ...logOf(() => err),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
