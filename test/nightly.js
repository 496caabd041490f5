// `npm run test:nightly` runs long tests in parts of about a minute, each with a seed of its own: a failing part is repeated
// with the command that is printed. `npm run test:nightly -- --short kills fuzz` runs one part of some. `--record` adds
// what passed to test/long-runs.json.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** For each run: what a part repeats, how often, how many parts make a night, and the tests. */
const runs = {
  kills: { counts: 'ROUNDS', each: 30, parts: 70, tests: ['crash/'] },
  power: { counts: 'IMAGES', each: 20_000, parts: 50, tests: ['power-loss/'] },
  fuzz: { counts: 'FUZZ', each: 30_000, parts: 167, tests: ['fuzz/requests'] },
  markup: { counts: 'FUZZ', each: 200_000, parts: 10, tests: ['markup/fuzz'] },
  state: { counts: 'SEQUENCES', each: 40, parts: 50, tests: ['state-equality'] },
  queues: { counts: 'STEPS', each: 10_000, parts: 20, tests: ['queues-model'] },
  access: { counts: 'ACCESS', each: 1, parts: 1, tests: ['access/'] },
  'access-postgres': { counts: 'ACCESS', each: 1, parts: 1, tests: ['--postgres', 'access/'] },
  'state-postgres': { counts: 'SEQUENCES', each: 20, parts: 50, tests: ['--postgres', 'state-equality'] },
  nodes: { counts: 'NODE_ROUNDS', each: 12, parts: 30, tests: ['--postgres', 'nodes/'] },
  soak: { counts: 'SOAK_MINUTES', each: 330, parts: 1, tests: ['soak/'] },
}
const record = fileURLToPath(new URL('./long-runs.json', import.meta.url))

const args = process.argv.slice(2)
const isShort = args.includes('--short')
const wanted = args.filter((arg) => !arg.startsWith('--'))
const unknown = wanted.filter((name) => !Object.hasOwn(runs, name))
if (unknown.length > 0) throw new Error(`no such run: ${unknown.join()}; there are ${Object.keys(runs).join(', ')}`)

const day = Math.floor(Date.now() / 86_400_000)
const SHORT = { kills: 10, power: 2000, fuzz: 3000, markup: 10_000, state: 10, queues: 2000, nodes: 4, soak: 1 }
let failed = 0
for (const [name, { counts, each, parts, tests }] of Object.entries(runs)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const size = isShort ? (SHORT[name] ?? each) : each
  let passed = 0
  for (let part = 0; part < (isShort ? 1 : parts); part++) {
    const seed = String(day * 1000 + part)
    const env = { [counts]: String(size), SEED: seed, FIRST_SEED: seed }
    const command = ['test/run.js', '--full', '--test-timeout=28800000', ...tests]
    const cwd = fileURLToPath(new URL('..', import.meta.url))
    const { status } = spawnSync(process.execPath, command, { cwd, stdio: 'inherit', env: { ...process.env, ...env } })
    if (status !== 0) {
      failed++
      const set = Object.entries(env).map(([variable, value]) => `${variable}=${value}`)
      console.log(`\nFAILED, to repeat: ${set.join(' ')} node ${command.join(' ')}\n`)
      break
    }
    passed++
  }
  console.log(`== ${name}: ${passed * size} of ${(isShort ? 1 : parts) * size} (${counts})`)
  if (args.includes('--record')) add(name, passed * size)
}
process.exitCode = failed > 0 ? 1 : 0

/** Adds what passed to the totals of all nights. */
function add(name, count) {
  const totals = JSON.parse(readFileSync(record, 'utf8'))
  const today = new Date().toISOString().slice(0, 10)
  totals[name] = { total: (totals[name]?.total ?? 0) + count, last: today }
  writeFileSync(record, `${JSON.stringify(totals, null, 2)}\n`)
}
