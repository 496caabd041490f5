import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { judge, nodeProblem, spaceFor } from '../../bin/checks.ts'

test('Node 20.19 or newer is needed', () => {
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '26.1.0']) assert.equal(nodeProblem(version), undefined)
  for (const version of ['18.20.0', '20.18.3', '16.0.0'])
    assert.match(nodeProblem(version)!, /^Node\.js 20\.19 or newer/)
})

test('little room is a warning, none a reason not to start', () => {
  const MIB = 1024 * 1024
  assert.deepEqual(judge(2048 * MIB, '/'), { free_mib: 2048 })
  assert.match(judge(1000 * MIB, '/').warning!, /only 1000 MiB/)
  assert.match(judge(49 * MIB, '/').problem!, /only 49 MiB .* at least 50 MiB/)
  assert.ok(spaceFor(join(tmpdir(), 'x.db')).free_mib > 0)
  assert.match(spaceFor('/no/such/folder/x.db').problem!, /does not exist/)
  assert.equal(spaceFor(':memory:').problem, undefined)
})
