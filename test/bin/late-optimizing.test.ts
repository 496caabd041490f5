import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'

const program = `
import { mock } from 'node:test'
mock.timers.enable({ apis: ['setTimeout'] })
const { optimizeLate } = await import(${JSON.stringify(new URL('../../bin/late-optimizing.ts', import.meta.url).href)})
optimizeLate()
function early(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i % 7; return sum }
function late(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i % 7; return sum }
for (let i = 0; i < 20_000; i++) early(1000)
mock.timers.tick(1000)
for (let i = 0; i < 20_000; i++) late(1000)
`

/** Names of the functions that V8 optimized in a process with these options. */
function optimized(...options: string[]): string[] {
  // Compiled on the main thread, so that a busy machine can't end the program first.
  const trace = ['--trace-opt', '--no-concurrent-recompilation']
  const args = [...options, ...trace, '--input-type=module', '--eval', program]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 })
  assert.equal(status, 0, stderr)
  return ['early', 'late'].filter((name) =>
    new RegExp(`completed compiling .*<JSFunction ${name} .*TURBOFAN`).test(stdout),
  )
}

test('optimizes no code in the first second, and hot code after it', () => {
  assert.deepEqual(optimized(), ['late'])
})

test('keeps the flags for optimizing compilers that Node was started with', () => {
  assert.deepEqual(optimized('--no-opt'), [])
  assert.deepEqual(optimized('--maglev'), ['early', 'late'])
})
