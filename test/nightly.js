// `npm run test:nightly` runs long tests in parts of about a minute, each with a seed of its own: a failing part is repeated
// with the command that is printed. `npm run test:nightly -- --short kills fuzz` runs one part of some. `--minutes 40`
// shares the time among all parts of the named runs. `--record` adds each part that passed to test/long-runs.json.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * For each run: what a part repeats, how often, how many parts make a night, and the tests. `times` is how many of the tests
 * repeat it. `seeds` is how many seeds a part uses, from its own on.
 */
const runs = {
  kills: { counts: 'ROUNDS', each: 30, parts: 70, times: 2, tests: ['crash/'] },
  work: { counts: 'ROUNDS', each: 30, parts: 20, times: 3, tests: ['messages/killed'] },
  imports: { counts: 'IMPORT_KILLS', each: 100, parts: 20, tests: ['import/resume'] },
  mail: { counts: 'MAIL_KILLS', each: 100, parts: 20, tests: ['mail/kills'] },
  power: { counts: 'IMAGES', each: 10_000, parts: 50, times: 2, tests: ['power-loss/'] },
  fuzz: { counts: 'FUZZ', each: 30_000, parts: 167, seeds: 100, tests: ['fuzz/requests'] },
  markup: { counts: 'FUZZ', each: 200_000, parts: 10, seeds: 200_000, tests: ['markup/fuzz'] },
  state: { counts: 'SEQUENCES', each: 40, parts: 50, seeds: 40, tests: ['state-equality'] },
  queues: { counts: 'STEPS', each: 10_000, parts: 20, times: 3, seeds: 3, tests: ['queues-model'] },
  access: { counts: 'ACCESS', each: 1, parts: 1, tests: ['access/'] },
  'access-postgres': { counts: 'ACCESS', each: 1, parts: 1, tests: ['--postgres', 'access/'] },
  'state-postgres': { counts: 'SEQUENCES', each: 20, parts: 50, seeds: 20, tests: ['--postgres', 'state-equality'] },
  nodes: { counts: 'NODE_ROUNDS', each: 12, parts: 30, tests: ['--postgres', 'nodes/continuity'] },
  soak: { counts: 'SOAK_MINUTES', each: 330, parts: 1, tests: ['soak/'] },
  'soak-postgres': { counts: 'SOAK_MINUTES', each: 330, parts: 1, tests: ['--postgres', 'soak/'] },
}
const record = fileURLToPath(new URL('./long-runs.json', import.meta.url))

const options = {
  short: { type: 'boolean' },
  record: { type: 'boolean' },
  minutes: { type: 'string' },
  first: { type: 'string' },
}
const { values, positionals: wanted } = parseArgs({ options, allowPositionals: true })
const unknown = wanted.filter((name) => !Object.hasOwn(runs, name))
if (unknown.length > 0) throw new Error(`no such run: ${unknown.join()}; there are ${Object.keys(runs).join(', ')}`)
const chosen = Object.entries(runs).filter(([name]) => wanted.length === 0 || wanted.includes(name))

/** Days since 2026 began. */
const day = Math.floor((Date.now() - Date.UTC(2026, 0)) / 86_400_000)
/** The first part of a night. With another, a second run of a day gets other seeds. */
const first = Number(values.first ?? 0)
const SHORT = {
  kills: 10,
  work: 5,
  imports: 10,
  mail: 10,
  power: 2000,
  fuzz: 3000,
  markup: 10_000,
  state: 10,
  queues: 2000,
  'state-postgres': 5,
  nodes: 4,
  soak: 1,
  'soak-postgres': 1,
}
const minutesEach = Number(values.minutes ?? Number.POSITIVE_INFINITY) / chosen.length
let failed = 0
for (const [name, run] of chosen) {
  const end = Date.now() + minutesEach * 60_000
  const isSoak = run.counts === 'SOAK_MINUTES'
  const most = values.short || (isSoak && values.minutes) ? 1 : run.parts
  const size = values.short
    ? (SHORT[name] ?? run.each)
    : isSoak
      ? Math.max(1, Math.min(run.each, Math.floor(minutesEach)))
      : run.each
  let part = 0
  const rounds = size * (run.times ?? 1)
  for (; part < most && (part === 0 || Date.now() < end); part++) {
    console.log(`== ${name}: part ${part + 1} of at most ${most}`)
    if (!passes(run, size, first + part)) break
    if (values.record) add(name, rounds)
  }
  console.log(`== ${name}: ${part * rounds} rounds passed (${run.counts})`)
}
process.exitCode = failed > 0 ? 1 : 0

/** Runs one part, and prints the command that repeats it if it fails. */
function passes({ counts, tests, parts, seeds = 1 }, size, part) {
  // A day has twice the seeds of a night, for a second run that begins with another part.
  const seed = String((day * 2 * parts + part) * seeds)
  const env = { [counts]: String(size), SEED: seed, FIRST_SEED: seed }
  const command = ['test/run.js', '--full', '--test-timeout=28800000', ...tests]
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const set = Object.entries(env).map(([variable, value]) => `${variable}=${value}`)
  console.log(set.join(' '))
  const { status } = spawnSync(process.execPath, command, { cwd, stdio: 'inherit', env: { ...process.env, ...env } })
  if (status === 0) return true
  failed++
  console.log(`\nFAILED, to repeat: ${set.join(' ')} node ${command.join(' ')}\n`)
  return false
}

/** Adds what passed to the totals of all nights. */
function add(name, count) {
  const totals = JSON.parse(readFileSync(record, 'utf8'))
  const today = new Date().toISOString().slice(0, 10)
  totals[name] = { total: (totals[name]?.total ?? 0) + count, last: today }
  writeFileSync(record, `${JSON.stringify(totals, null, 2)}\n`)
}
