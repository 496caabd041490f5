import { EventEmitter } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Io } from '../../bin/io.ts'
import { run } from '../../bin/main.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { type Ended, logOf, type Served, urlIn } from './output.ts'

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** A temporary folder that is the working directory while it exists. */
export class WorkingFolder implements Disposable {
  readonly path: string
  readonly #parent = new TemporaryFolder()
  readonly #before = process.cwd()
  constructor() {
    this.path = join(this.#parent.path, 'here')
    mkdirSync(this.path)
    // Threads look for the `--import tsx` of this process from the working directory upwards.
    symlinkSync(packages, join(this.#parent.path, 'node_modules'))
    process.chdir(this.path)
  }
  [Symbol.dispose]() {
    process.chdir(this.#before)
    this.#parent[Symbol.dispose]()
  }
}

type Signal = Parameters<Io['on']>[0]

interface Launched {
  /** Settles when its code has run: a server listens then, any other command has ended. */
  done: Promise<void>
  out(): string
  err(): string
  /** The code that it exits with; 0 while it has not said one. */
  code(): number
  /** Sends it a signal. */
  signal(name: Signal): void
  /** The code of its call of `exit`. */
  exited: Promise<number>
}

/** Starts a command in this process, in the working directory. */
export function launch(args: string[], env: NodeJS.ProcessEnv = {}): Launched {
  const signals = new EventEmitter()
  let out = ''
  let err = ''
  let code: number | undefined
  const { promise: exited, resolve: exit } = Promise.withResolvers<number>()
  const io: Io = {
    stdout: {
      write(text) {
        out += text
      },
    },
    stderr: {
      write(text) {
        err += text
      },
    },
    on: (signal, listener) => signals.on(signal, listener),
    exit(given) {
      code ??= given
      exit(code)
    },
  }
  return {
    done: withEnvironment(env, () => run(['node', 'chat-server', ...args], io)),
    out: () => out,
    err: () => err,
    code: () => code ?? Number(io.exitCode ?? 0),
    signal: (name) => void signals.emit(name, name),
    exited,
  }
}

/** Runs a command to its end in this process, in the working directory. */
export async function command(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { done, code, out, err } = launch(args, env)
  await done
  return { code: code(), out: out(), err: err() }
}

export interface ServedHere extends Served {
  /** Sends it a signal, and returns its exit code. */
  stop(signal?: Signal): Promise<number>
}

/** Starts the server in this process, in the working directory, and waits until it prints that it listens. */
export async function serve(args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<ServedHere> {
  const { done, code, out, err, signal, exited } = launch(args, env)
  await done
  const url = urlIn(out())
  if (url === undefined) throw new Error(`ended with ${code()}: ${err()}`)
  const stop: ServedHere['stop'] = (name = 'SIGTERM') => {
    signal(name)
    return exited
  }
  return { url, out, err, ...logOf(err), stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

/** Sets variables while `work` is under way. */
async function withEnvironment(env: NodeJS.ProcessEnv, work: () => Promise<void>): Promise<void> {
  const before = { ...process.env }
  // No server in this process watches the npm that started the tests.
  Object.assign(process.env, env)
  delete process.env.npm_lifecycle_event
  try {
    await work()
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
