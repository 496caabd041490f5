// `node scripts/ci.ts [step]...` runs everything a change must pass, after `npm ci`. Two steps run at a time: the tests, and beside them
// one of the others. Prints the log of a step that fails, and how long each took.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface Step {
  readonly name: string
  /** For the shell. */
  readonly command: string
  /** Steps that pass before it begins. */
  readonly after?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** Runs while nothing else does, because it measures. */
  readonly alone?: boolean
  /** Prints its output as it comes. */
  readonly live?: boolean
}

const steps: readonly Step[] = [
  // `npm ci` has just built the web client.
  { name: 'build', command: 'npm run -s build -- --if-stale' },
  { name: 'browser', command: 'node scripts/install-browser.ts' },
  {
    name: 'tests',
    command: 'npm run -s coverage -- --all',
    after: ['build', 'browser'],
    env: { REQUIRE_BROWSER: '1' },
    live: true,
  },
  { name: 'types', command: 'npm run -s typecheck' },
  { name: 'lint', command: 'npm run -s lint' },
  // Another build while the tests run would replace files that they use.
  { name: 'package', command: 'npm run -s test:package', after: ['build'], env: { BUILT: '1' } },
  { name: 'proxies', command: 'npm run -s test:proxies', after: ['build'] },
  { name: 'directory', command: 'npm run -s test:directory' },
  {
    name: 'provider',
    command: 'if scripts/provider/is-needed.sh; then npm run -s test:provider; else echo sign-on is unchanged; fi',
  },
  { name: 'reference', command: 'npm run -s docs' },
  {
    name: 'release',
    command: 'if scripts/release/is-needed.sh; then npm run -s test:release; else echo packaging is unchanged; fi',
    after: ['tests'],
  },
  { name: 'short bench', command: 'npm run -s bench:short', alone: true },
]
const AT_ONCE = 2
/** Ends a step that hangs. The tests take 14 minutes alone, and 45 on a machine that is busy or slow. */
const LIMIT_MS = 75 * 60_000

interface Result {
  readonly name: string
  readonly passed: boolean
  readonly seconds: number
  readonly log: string
  /** The log was printed as it came. */
  readonly live: boolean
}

const root = fileURLToPath(new URL('..', import.meta.url))
const names = process.argv.slice(2)
const unknown = names.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0)
  throw new Error(`no step ${unknown.join(', ')}; there are ${steps.map(({ name }) => name).join(', ')}`)

const began = performance.now()
const waiting = steps.filter(({ name }) => names.length === 0 || names.includes(name))
const running = new Map<Step, Promise<Result>>()
const results: Result[] = []
for (;;) {
  for (let next = ready(); next; next = ready()) start(next)
  if (running.size === 0) break
  finish(await Promise.race(running.values()))
}
for (const { name } of waiting)
  finish({ name, passed: false, seconds: 0, log: 'not run, since a step before it failed\n', live: false })
report()

/** Returns a step that can begin now. */
function ready(): Step | undefined {
  if (running.size >= AT_ONCE || [...running.keys()].some(({ alone }) => alone)) return undefined
  const isOver = (name: string) => results.some((result) => result.name === name && result.passed)
  const isPlanned = (name: string) => waiting.some((step) => step.name === name) || isRunning(name)
  const isRunning = (name: string) => [...running.keys()].some((step) => step.name === name)
  const failed = (name: string) => results.some((result) => result.name === name && !result.passed)
  return waiting.find(({ after = [], alone }) =>
    alone
      ? running.size === 0 && waiting.every((step) => step.alone || step.after?.some(failed))
      : after.every((name) => isOver(name) || !(isPlanned(name) || failed(name))),
  )
}

function start(step: Step): void {
  waiting.splice(waiting.indexOf(step), 1)
  console.log(`== ${step.name}: ${step.command}`)
  running.set(step, run(step))
}

async function run({ name, command, env, live = false }: Step): Promise<Result> {
  const began = performance.now()
  const child = spawn('bash', ['-c', command], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the limit ends its children too.
    detached: true,
  })
  let log = ''
  const limit = setTimeout(() => {
    log += `ended after ${LIMIT_MS / 60_000} minutes\n`
    process.kill(-child.pid!, 'SIGKILL')
  }, LIMIT_MS)
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (live) process.stdout.write(text)
    })
  }
  const [code] = await once(child, 'close')
  clearTimeout(limit)
  return { name, passed: code === 0, seconds: (performance.now() - began) / 1000, log, live }
}

function finish(result: Result): void {
  const step = [...running.keys()].find(({ name }) => name === result.name)
  if (step) running.delete(step)
  results.push(result)
  console.log(`== ${result.name}: ${result.passed ? 'passed' : 'FAILED'} in ${result.seconds.toFixed(0)} s`)
  if (!result.passed && !result.live) console.log(result.log)
}

/** Prints what failed and all durations. The last line counts the tests, and each other step as one. */
function report(): void {
  const failed = results.filter(({ passed }) => !passed)
  // Again at the end, where a log that is cut still has it.
  for (const { name, log } of failed) {
    const lines = new Set(log.split('\n').filter((line) => /^(✖ (?!\w+: \d)|ERROR)/.test(line)))
    console.log([`\n${name} failed:`, ...[...lines].slice(0, 30)].join('\n'))
  }
  console.log('\nDurations:')
  for (const { name, seconds, passed } of results)
    console.log(`${seconds.toFixed(0).padStart(6)} s  ${name}${passed ? '' : ': FAILED'}`)
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(6)} s  in all\n`)
  const tests = results.find(({ name }) => name === 'tests')
  const counts = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m
    .exec(tests?.log ?? '')
    ?.slice(1)
    .map(Number) ?? [0, 0, 0]
  const others = results.filter(({ name, passed }) => passed && name !== 'tests').length
  const [passed, broken, skipped] = [counts[0]! + others, counts[1]! + failed.length, counts[2]!]
  console.log(`${passed} passed, ${broken} failed, ${skipped} skipped`)
  process.exitCode = failed.length > 0 ? 1 : 0
}
