// `npm run test:nightly` runs long tests in parts of about a minute, each with a seed of its own: a failing part is repeated
// with the command that is printed, and the others run. `npm run test:nightly -- --short kills fuzz` runs one small part of
// some. `--minutes 40` shares the time among the named runs. `--record` adds each part that passed to test/long-runs.json.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commandOf, runNight } from './runner/night.ts'

/** @type {Record<string, import('./runner/night.ts').Run>} */
const runs = {
  kills: { counts: 'ROUNDS', each: 30, short: 10, parts: 70, times: 2, tests: ['crash/'] },
  work: { counts: 'ROUNDS', each: 30, short: 5, parts: 20, times: 3, tests: ['messages/killed'] },
  imports: { counts: 'IMPORT_KILLS', each: 50, short: 10, parts: 40, tests: ['import/resume'] },
  mail: { counts: 'MAIL_KILLS', each: 50, short: 10, parts: 40, tests: ['mail/kills'] },
  power: { counts: 'IMAGES', each: 2000, short: 1000, parts: 250, times: 2, tests: ['power-loss/'] },
  fuzz: { counts: 'FUZZ', each: 15_000, short: 3000, parts: 334, seeds: 50, tests: ['fuzz/requests'] },
  'fuzz-postgres': {
    ...{ counts: 'FUZZ', each: 6000, short: 1500, parts: 50, seeds: 20 },
    tests: ['--postgres', 'fuzz/requests'],
  },
  archives: { counts: 'DAMAGE_ROUNDS', each: 5000, short: 1000, parts: 20, times: 4, tests: ['import/damaged'] },
  'archive-values': { counts: 'IMPORT_ROUNDS', each: 200, short: 50, parts: 20, tests: ['import/mutated'] },
  markup: { counts: 'FUZZ', each: 100_000, short: 10_000, parts: 20, seeds: 100_000, tests: ['markup/fuzz'] },
  state: { counts: 'SEQUENCES', each: 40, short: 10, parts: 50, seeds: 40, tests: ['state-equality'] },
  queues: { counts: 'STEPS', each: 10_000, short: 2000, parts: 20, times: 3, seeds: 3, tests: ['queues-model'] },
  access: { counts: 'ACCESS', each: 1, parts: 1, tests: ['access/'] },
  'access-postgres': { counts: 'ACCESS', each: 1, parts: 1, tests: ['--postgres', 'access/'] },
  'state-postgres': {
    ...{ counts: 'SEQUENCES', each: 20, short: 5, parts: 50, seeds: 20 },
    tests: ['--postgres', 'state-equality'],
  },
  nodes: { counts: 'NODE_ROUNDS', each: 12, short: 4, parts: 30, tests: ['--postgres', 'nodes/continuity'] },
  soak: { counts: 'SOAK_MINUTES', each: 330, short: 1, parts: 1, tests: ['soak/'] },
  'soak-postgres': { counts: 'SOAK_MINUTES', each: 330, short: 1, parts: 1, tests: ['--postgres', 'soak/'] },
}
const record = fileURLToPath(new URL('./long-runs.json', import.meta.url))
const cwd = fileURLToPath(new URL('..', import.meta.url))

const options = {
  short: { type: 'boolean' },
  record: { type: 'boolean' },
  minutes: { type: 'string' },
  first: { type: 'string' },
}
const { values, positionals: wanted } = parseArgs({ options, allowPositionals: true })
const unknown = wanted.filter((name) => !Object.hasOwn(runs, name))
if (unknown.length > 0) throw new Error(`no such run: ${unknown.join()}; there are ${Object.keys(runs).join(', ')}`)
const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
if (minutes !== undefined && !(minutes > 0)) throw new Error(`--minutes is a number above 0, not ${values.minutes}`)

const failed = runNight(
  Object.entries(runs).filter(([name]) => wanted.length === 0 || wanted.includes(name)),
  {
    minutes,
    short: values.short,
    first: Number(values.first ?? 0),
    day: Math.floor((Date.now() - Date.UTC(2026, 0)) / 86_400_000),
    now: Date.now,
    print: console.log,
    runPart: (env, tests, timeout) =>
      spawnSync(process.execPath, commandOf(tests), { cwd, stdio: 'inherit', env: { ...process.env, ...env }, timeout })
        .status === 0,
    ...(values.record && { onPassed: add }),
  },
)
if (failed.length > 0) console.log(`\nFailed parts:\n${failed.join('\n')}`)
process.exitCode = failed.length > 0 ? 1 : 0

/** Adds what passed to the totals of all nights. */
function add(name, count) {
  const totals = JSON.parse(readFileSync(record, 'utf8'))
  const today = new Date().toISOString().slice(0, 10)
  totals[name] = { total: (totals[name]?.total ?? 0) + count, last: today }
  writeFileSync(record, `${JSON.stringify(totals, null, 2)}\n`)
}
