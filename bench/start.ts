/**
 * How long the built server takes to start, and what it takes when idle, after `npm run build`: `npm run bench:start`.
 * Each start is a process of its own. Processor time and memory are what Linux reports.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../scripts/free-port.ts'
import { circumstances } from './circumstances.ts'
import { spread } from './row.ts'

const STARTS = Number(process.env.STARTS ?? 15)
/** How long the server takes until its deferred work is done. */
const IDLE_MS = 10_000
const TICK_MS = 10
const server = resolve('dist/bin/chat-server.js')

interface Start {
  readyMs: number
  processorMs: number
  startMib: number
  idle?: { all: number; own: number }
}

/** The processor time of a process so far, in milliseconds. */
function processorMs(pid: number): number {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** A kind of resident memory of a process, in MiB. `RssAnon` leaves out what it shares with others, such as Node.js's file. */
const residentMib = (pid: number, kind: 'VmRSS' | 'RssAnon'): number =>
  Number(new RegExp(`^${kind}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

async function start(folder: string, idle: boolean): Promise<Start> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, [server, '--port', String(port)], { cwd: folder, stdio: 'ignore' })
  const ended = once(child, 'exit')
  try {
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
      await wait(2)
    }
    const readyMs = performance.now() - began
    const figures = { readyMs, processorMs: processorMs(child.pid!), startMib: residentMib(child.pid!, 'VmRSS') }
    if (!idle) return figures
    await wait(IDLE_MS)
    return { ...figures, idle: { all: residentMib(child.pid!, 'VmRSS'), own: residentMib(child.pid!, 'RssAnon') } }
  } finally {
    child.kill()
    await ended
  }
}

/** Prints the figures of several starts. */
async function print(name: string, folderOf: () => string, goalMs: number): Promise<void> {
  const starts: Start[] = []
  for (let i = 0; i < STARTS; i++) starts.push(await start(folderOf(), i % 3 === 0))
  const all = (figure: (one: Start) => number) => starts.map(figure)
  spread(
    `${name}: from start to /health/ready`,
    all((one) => one.readyMs),
    'ms',
    { most: goalMs },
  )
  spread(
    '  processor time',
    all((one) => one.processorMs),
    'ms',
  )
  spread(
    '  resident memory then',
    all((one) => one.startMib),
    'MiB',
  )
  const idle = starts.flatMap((one) => one.idle ?? [])
  const later = `${IDLE_MS / 1000} s later`
  spread(
    `  resident memory ${later}`,
    idle.map(({ all }) => all),
    'MiB',
    { most: 85 },
  )
  spread(
    '  of it without files, which processes share',
    idle.map(({ own }) => own),
    'MiB',
  )
}

if (!existsSync(server)) throw new Error('Run `npm run build` first.')
console.log(`${circumstances()}\n${STARTS} starts: median (range)`)
const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
try {
  await print('an empty folder', () => mkdtempSync(join(folder, 'empty-')), 300)
  const existing = mkdtempSync(join(folder, 'existing-'))
  await print('an existing database', () => existing, 300)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(circumstances())
