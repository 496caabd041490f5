import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Installed } from './install.ts'

const examples = fileURLToPath(new URL('../../examples/testing', import.meta.url))

/** The newest of each that runs on the oldest Node we support. */
const runners = ['vitest@^3.2.4', 'jest@^30.2.0']

/** Tests of an application that uses the testing kit, run by each of the usual runners, which are installed here only. */
export function checkRunners({ folder, run }: Installed): void {
  cpSync(examples, join(folder, 'testing'), { recursive: true })
  run('npm', 'install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', ...runners)
  run(process.execPath, '--test', 'testing/node.test.mjs')
  run(process.execPath, 'node_modules/vitest/vitest.mjs', 'run', 'testing/vitest.test.mjs')
  // @NOTE jest loads ES modules in a context of its own, for which Node wants this flag.
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']
  run(process.execPath, ...jest, '--testMatch', '**/jest.test.mjs', '--testEnvironment', 'node')
  console.log('ok  tests run by node:test, vitest and jest')
}
