import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { start } from '../bin/running.ts'
import { type Person, person } from '../crash/client.ts'
import type { TemporaryFolder } from '../temporary-folder.ts'

/** What the server did, in order: to a file by its number, or to the names in its folder, or an answer that it sent. */
export type Step =
  | { what: 'create' | 'exists' | 'unlink' | 'rename'; file: number; path: string }
  | { what: 'write'; file: number; offset: number; data: Buffer }
  | { what: 'truncate'; file: number; size: number }
  | { what: 'sync'; file: number }
  | { what: 'sync folder' }
  | { what: 'answer'; text: string }

/** One run of the server: what lay in its folder before, and what it did then. */
export interface Recording {
  before: ReadonlyMap<string, Buffer>
  steps: readonly Step[]
}

/** What the clients sent, by what the server answered. */
export interface Sent {
  contents: Map<number, string>
  owner: { email: string; key: string }
}

/** Why nothing can be recorded here; undefined where it can. */
export function recordingProblem(): string | undefined {
  if (process.platform !== 'linux') return 'records with LD_PRELOAD, which is of Linux'
  return spawnSync('cc', ['--version']).status === 0 ? undefined : 'needs a C compiler (cc)'
}

/** Compiles the recorder into a folder. */
export function compileRecorder(folder: string): string {
  const library = join(folder, 'recorder.so')
  const source = fileURLToPath(new URL('recorder.c', import.meta.url))
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-pthread'])
  return library
}

/**
 * A first start, some traffic, a stop in order; then a second start, with so much traffic that the log is folded into
 * the file, and a kill.
 */
export async function recordTwoRuns(folder: TemporaryFolder): Promise<{ runs: Recording[]; sent: Sent }> {
  const library = compileRecorder(folder.path)
  const data = join(folder.path, 'data')
  mkdirSync(data)
  const contents = new Map<number, string>()
  const runs: Recording[] = []
  let owner: { email: string; key: string } | undefined
  for (const [n, { sends, people, stop }] of plan.entries()) {
    const record = join(folder.path, `run${n}`)
    const before = new Map(readdirSync(data).map((name) => [join(data, name), readFileSync(join(data, name))]))
    // No io_uring, whose writes no library sees.
    const env = { LD_PRELOAD: library, RECORD_TO: record, RECORD_FOLDER: data, UV_USE_IO_URING: '0' }
    await using server = await start(folder, ['--db', join(data, 'chat.db'), '--port', '0', '--no-rate-limit'], env)
    owner ??= { email: 'owner@localhost', key: /API key +(\S+)/.exec(server.out())![1]! }
    const me = person(server.url, { id: 0, ...owner })
    await Promise.all(Array.from({ length: 6 }, (_, i) => send(me, sends, `run ${n} client ${i}`, contents)))
    for (let i = 0; i < people; i++) {
      await me.insist('POST', '/users', {
        email: `u${n}${i}@example.com`,
        full_name: `U ${i}`,
        password: 'correct horse',
      })
    }
    server.process.kill(stop)
    await server.ended
    runs.push({ before, steps: parse(readFileSync(record)) })
  }
  return { runs, sent: { contents, owner: owner! } }
}

const plan = [
  { sends: 20, people: 3, stop: 'SIGTERM' },
  { sends: 260, people: 2, stop: 'SIGKILL' },
] as const

async function send(who: Person, count: number, name: string, contents: Map<number, string>): Promise<void> {
  for (let i = 0; i < count; i++) {
    const content = `${name} message ${i} ${'x'.repeat((i * 37) % 300)}.`
    const { answer } = await who.insist('POST', '/messages', {
      type: 'stream',
      to: 'general',
      topic: `t${i % 7}`,
      content,
    })
    contents.set(answer.id, content)
  }
}

const HEAD = 17

function parse(bytes: Buffer): Step[] {
  const steps: Step[] = []
  for (let at = 0; at < bytes.length; ) {
    const what = String.fromCharCode(bytes[at]!)
    const file = bytes.readUInt32LE(at + 1)
    const offset = Number(bytes.readBigUInt64LE(at + 5))
    const length = bytes.readUInt32LE(at + 13)
    const data = bytes.subarray(at + HEAD, at + HEAD + length)
    steps.push(stepOf(what, file, offset, data))
    at += HEAD + length
  }
  return steps
}

function stepOf(what: string, file: number, offset: number, data: Buffer): Step {
  switch (what) {
    case 'C':
      return { what: 'create', file, path: data.toString() }
    case 'E':
      return { what: 'exists', file, path: data.toString() }
    case 'U':
      return { what: 'unlink', file, path: data.toString() }
    case 'R':
      return { what: 'rename', file, path: data.toString() }
    case 'W':
      return { what: 'write', file, offset, data }
    case 'T':
      return { what: 'truncate', file, size: offset }
    case 'S':
      return { what: 'sync', file }
    case 'D':
      return { what: 'sync folder' }
    case 'A':
      return { what: 'answer', text: data.toString('latin1') }
  }
  throw new Error(`the recording has a step of an unknown kind: ${what}`)
}
