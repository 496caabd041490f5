// `npm run test:nightly` runs long tests with many rounds and with other random numbers than the day before.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const SEED = String(Math.floor(Date.now() / 86_400_000))
const runs = [
  [['crash/'], { ROUNDS: '300' }],
  [['power-loss/'], { IMAGES: '20000' }],
  [['fuzz/requests'], { FUZZ: '50000' }],
  [['markup/fuzz'], { FUZZ: '200000' }],
  [['state-equality'], { SEQUENCES: '400', FIRST_SEED: SEED }],
  [['queues-model'], { STEPS: '30000' }],
  [['--postgres', 'nodes/'], { NODE_ROUNDS: '100', DATABASE_ROUNDS: '20' }],
]

let failed = 0
for (const [args, env] of runs) {
  console.log(`\n== ${args.join(' ')} ${JSON.stringify(env)}, seed ${SEED}`)
  const command = ['test/run.js', '--full', '--test-timeout=3600000', ...args]
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const { status } = spawnSync(process.execPath, command, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, SEED, ...env },
  })
  if (status !== 0) failed++
}
console.log(`${runs.length - failed} passed, ${failed} failed, 0 skipped`)
process.exitCode = failed > 0 ? 1 : 0
