import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'

const program = `
import { getHeapSpaceStatistics } from 'node:v8'
const { keepHeapSmall } = await import(${JSON.stringify(new URL('../../bin/small-heap.ts', import.meta.url).href)})
keepHeapSmall(process.argv[1])
const kept = new Array(100_000)
for (let i = 0; i < 1_000_000; i++) kept[i % kept.length] = { i, text: String(i) }
const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
console.log(space_size)
`

/** Bytes of the space for new objects, after a command that makes many. */
function spaceFor(command: string, ...options: string[]): number {
  const args = [...options, '--input-type=module', '--eval', program, command]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return Number(stdout)
}

test('keeps the heap of an import and of an export small, and of no other command', () => {
  const other = spaceFor('user')
  assert.ok(spaceFor('import') < other / 2)
  assert.ok(spaceFor('export') < other / 2)
})

test('keeps the heap flags that Node was started with', () => {
  const flag = '--max-semi-space-size=16'
  assert.equal(spaceFor('import', flag), spaceFor('user', flag))
})
