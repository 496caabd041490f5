import assert from 'node:assert/strict'
import test from 'node:test'
import { hasOperands, isOperands } from '../../../src/core/narrow/operators/flags.ts'
import { operators } from '../../../src/core/narrow/operators/table.ts'
import { termOf } from '../../../web/model/search/search.ts'
import { searchProblem } from '../../../web/model/search/search-problem.ts'
import type { Session } from '../../../web/model/state/session.ts'

const session = { state: { streams: [], realm_users: [], user_id: 1 } } as unknown as Session

test('search supports every server operator with any operand', () => {
  for (const name of Object.keys(operators).filter((name) => name !== 'search'))
    assert.ok(termOf(session, name, '1', false), name)
  const words = {
    is: isOperands,
    has: hasOperands,
    in: { home: 1, all: 1 },
    streams: { public: 1, 'web-public': 1, archived: 1 },
  }
  for (const [name, operands] of Object.entries(words)) {
    for (const operand of Object.keys(operands)) {
      const term = termOf(session, name, operand, true)
      assert.ok(term, name)
      assert.equal(searchProblem([term]), undefined, `${name}:${operand}`)
    }
    assert.match(
      searchProblem([termOf(session, name, 'nonsense', false)!]) ?? '',
      /accepts .* or .*, but not “nonsense”/,
    )
  }
})
