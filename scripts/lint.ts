// `npm run lint` checks rules, types, spelling and prose side by side. Prints the output of each check when it ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const here = 'scripts/lint/node_modules/.bin'

/** For the shell. The longest begins first. */
const checks: Readonly<Record<string, string>> = {
  spelling: 'cspell lint --no-progress --no-summary --show-context .',
  // Its packages are apart, as docs/internals/dependencies.md explains.
  types: `npm install --silent --no-package-lock --prefix scripts/lint && OXLINT_TSGOLINT_PATH=${here}/tsgolint ${here}/oxlint --type-aware`,
  rules: 'biome check',
  prose: 'node --import tsx scripts/prose/run.ts',
}

const failed = (await Promise.all(Object.entries(checks).map(run))).filter((name) => name !== undefined)
if (failed.length > 0) {
  console.error(`lint failed: ${failed.join(', ')}`)
  process.exitCode = 1
}

/** Returns the name of a check that failed. */
async function run([name, command]: [string, string]): Promise<string | undefined> {
  const began = performance.now()
  const PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  const child = spawn('sh', ['-c', command], {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = await once(child, 'close')
  console.log(`${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  if (code !== 0) console.log(output)
  return code === 0 ? undefined : name
}
