import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { judge, spaceFor } from '../../bin/checks.ts'
import { nodeProblem } from '../../bin/node-version.ts'

test('rejects every Node older than 22.14', () => {
  for (const version of ['22.14.0', '22.23.3', '24.0.0', '26.1.0']) assert.equal(nodeProblem(version), undefined)
  for (const version of ['22.13.1', '20.20.2', '16.0.0'])
    assert.equal(nodeProblem(version), `chat-server needs Node.js 22.14 or newer. This is ${version}.`)
})

test('warns when space is low, fails when it is almost gone or the folder is missing', () => {
  const MIB = 1024 * 1024
  assert.deepEqual(judge(2048 * MIB, '/'), { free_mib: 2048 })
  assert.match(judge(1000 * MIB, '/').warning!, /only 1000 MiB/)
  assert.match(judge(49 * MIB, '/').low!, /only 49 MiB .* Uploads are rejected below 64 MiB/)
  assert.equal(judge(49 * MIB, '/').problem, undefined)
  assert.ok(spaceFor(join(tmpdir(), 'x.db')).free_mib > 0)
  assert.match(spaceFor('/no/such/folder/x.db').problem!, /does not exist/)
  assert.equal(spaceFor(':memory:').problem, undefined)
})
