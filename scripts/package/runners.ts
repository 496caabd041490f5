import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Installed } from './install.ts'
import { npmProgram } from './programs.ts'

const examples = fileURLToPath(new URL('../../examples/testing', import.meta.url))

/** The newest versions that run on the oldest supported Node. */
const runners = ['vitest@^3.2.4', 'jest@^30.2.0']

/** Tests an application's tests with the testing kit in the usual test runners, which are installed only here. */
export function checkRunners({ folder, run }: Installed): void {
  cpSync(examples, join(folder, 'testing'), { recursive: true })
  run(...npmProgram, 'install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', ...runners)
  run(process.execPath, '--test', 'testing/node.test.mjs')
  run(process.execPath, 'node_modules/vitest/vitest.mjs', 'run', 'testing/vitest.test.mjs')
  // @NOTE jest loads ES modules in a context of its own, which requires this flag
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']
  run(process.execPath, ...jest, '--testMatch', '**/jest.test.mjs', '--testEnvironment', 'node')
  console.log('ok  tests run by node:test, vitest and jest')
}
