import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { eventually } from '../eventually.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { cluster, needsServer } from './nodes.ts'

test('one node exports at a time', needsServer, async () => {
  using folder = new TemporaryFolder()
  await using c = await cluster(2)
  const [first, second] = c.nodes
  // The lock of an export in progress.
  const unlock = await storeOf(first!).peers!.tryLock('export')
  assert.ok(unlock)
  const file = join(folder.path, 'all.tar.gz')
  const said: string[] = []
  let isMade = false
  const made = runCommand(second!, 'exportData', { file, kind: 'full' }, (text) => void said.push(String(text))).then(
    () => {
      isMade = true
    },
  )
  await eventually('the second node waits', () => said.length > 0)
  assert.deepEqual([said, isMade, existsSync(file)], [['Waiting for another export to finish.'], false, false])
  await unlock()
  await eventually('the second node exports', () => {
    c.w.clock.advance(1000)
    return isMade
  })
  await made
  assert.ok(existsSync(file))
  assert.ok(await storeOf(first!).peers!.tryLock('export'), 'an export gives the lock back')
})

test('a node that ends gives its lock to others', needsServer, async () => {
  await using c = await cluster(2)
  assert.ok(await storeOf(c.nodes[1]!).peers!.tryLock('export'))
  assert.equal(await storeOf(c.nodes[0]!).peers!.tryLock('export'), undefined)
  await c.nodes[1]!.close()
  await eventually('the lock is free', () => storeOf(c.nodes[0]!).peers!.tryLock('export'))
})
