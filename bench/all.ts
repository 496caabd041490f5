/**
 * All figures, one command after the other: `npm run bench`, in about ten minutes. `npm run bench:short` takes small
 * sizes, and fails where a figure is three times its goal or more.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const short = process.argv.includes('--short')
const here = dirname(fileURLToPath(import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
const file = join(folder, 'bench.db')

const [messages, share, rounds, seconds] = short ? ['50000', '0.2', '20', '3'] : ['1000000', '1', '40', '15']
const commands: readonly (readonly [title: string, command: readonly string[]])[] = [
  ['The longest wait of others', ['stalls/run.js', share, '--limit', short ? '300' : '100']],
  ['Readers that wait', ['waiting.js', share]],
  ['Clients that start', ['herd.js', share]],
  ['Ordinary messages', ['ordinary.js', rounds, seconds]],
  ['Files that come and go', ['files.js']],
  [`A database of ${messages} messages`, ['seed.js', file, messages]],
  ['Reading from it', ['read.js', file]],
  ...(short
    ? []
    : ([
        ['Sends over HTTP, beside empty requests in the same framework', ['send.js']],
        ['Deliveries over HTTP, beside one text written to each', ['delivery.js', '50', '2000']],
        ['Rendering', ['markup.js']],
        ['Requests', ['request.js']],
        ["Beside Prosody and ejabberd, which are taken from Debian's packages", ['side-by-side/run.js']],
      ] as const)),
]

let failed = false
try {
  for (const [title, [script, ...args]] of commands) {
    const began = performance.now()
    console.log(`\n== ${title}: node .bench/bench/${[script, ...args].join(' ')}`)
    const env = { ...process.env, ...(short && { BENCH_FACTOR: '3' }), BENCH_SECONDS: '3', ROUNDS: rounds }
    const passes = () =>
      spawnSync(process.execPath, ['--expose-gc', join(here, script!), ...args], { stdio: 'inherit', env }).status === 0
    // A slip shows each time; something else that took the processor for a moment does not.
    if (!passes() && !(short && (passes() || passes()))) failed = true
    console.log(`   ${((performance.now() - began) / 1000).toFixed(0)} s`)
  }
} finally {
  if (existsSync(folder)) rmSync(folder, { recursive: true, force: true })
}
if (failed) process.exitCode = 1
