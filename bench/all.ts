/**
 * All figures, one command after the other: `npm run bench`, in about ten minutes. `npm run bench:short` takes small
 * sizes, and fails where a figure is three times its goal or more, on a machine of the speed of the goals.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { slowness } from './machine.ts'

const short = process.argv.includes('--short')
const here = dirname(fileURLToPath(import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
const file = join(folder, 'bench.db')

const [messages, share, rounds, seconds] = short ? ['50000', '0.2', '20', '3'] : ['1000000', '1', '40', '15']
const commands: readonly (readonly [title: string, command: readonly string[]])[] = [
  ['The longest wait of others', ['stalls/run.js', share, '--limit', short ? '300' : '100']],
  ['Readers that wait', ['waiting.js', share]],
  ['Clients that start', ['herd.js', share]],
  ['Organizations that are open', ['open.js']],
  ['Ordinary messages', ['ordinary.js', rounds, seconds]],
  ['Files that come and go', ['files.js']],
  [`A database of ${messages} messages`, ['seed.js', file, messages]],
  ['Reading from it', ['read.js', file]],
  ...(short
    ? []
    : ([
        ['Sends over HTTP, beside the same rows by node:http and the driver alone', ['send.js']],
        ['Deliveries over HTTP, beside one text written to each', ['delivery.js', '50', '2000']],
        ['Rendering', ['markup.js']],
        ['Requests', ['request.js']],
        ["Beside Prosody and ejabberd, which are taken from Debian's packages", ['side-by-side/run.js']],
      ] as const)),
]

const TRIES = 3

/**
 * Returns whether a command passed. The output of a failed command is printed at the end, where readers look for it.
 */
function passes([title, [script, ...args]]: (typeof commands)[number]): boolean {
  const began = performance.now()
  // The limit allows for a machine that is slow at the moment.
  const limits = short ? { BENCH_FACTOR: '3', BENCH_SLOWNESS: slowness().toFixed(2) } : {}
  console.log(`\n== ${title}: node .bench/bench/${[script, ...args].join(' ')}`)
  if (short) console.log(`   the machine is ${limits.BENCH_SLOWNESS} times slower than that of the goals`)
  const env = { ...process.env, ...limits, BENCH_SECONDS: '3', ROUNDS: rounds }
  const stdio = ['ignore', 'inherit', 'pipe'] as const
  const { status, stderr } = spawnSync(process.execPath, ['--expose-gc', join(here, script!), ...args], {
    stdio: [...stdio],
    env,
    encoding: 'utf8',
    // Several times what the longest of them takes.
    timeout: short ? 3 * 60_000 : undefined,
    killSignal: 'SIGKILL',
  })
  process.stderr.write(stderr)
  console.log(`   ${((performance.now() - began) / 1000).toFixed(0)} s`)
  if (status !== 0) failures.push(`${title}: ended with ${status}\n${stderr}`)
  return status === 0
}

const failures: string[] = []
try {
  let failing: typeof commands = commands
  // A regression shows every time. Interference by another program has passed when all other commands have run.
  for (let tries = 0; failing.length > 0 && tries < (short ? TRIES : 1); tries++) {
    failing = failing.filter((command) => !passes(command))
  }
  if (failures.length > 0) console.log(`\n== What failed, of it ${failing.length} each time\n${failures.join('\n')}`)
  if (failing.length > 0) process.exitCode = 1
} finally {
  if (existsSync(folder)) rmSync(folder, { recursive: true, force: true })
}
