import { compileNarrow } from '../src/core/narrow/compile.ts'
import { conditionOf } from '../src/core/narrow/condition.ts'
import type { NarrowTerm } from '../src/core/narrow/operators/terms.ts'
import { type IndexScan, scanQuery } from '../src/core/narrow/scan.ts'
import { scansFor } from '../src/core/narrow/sources.ts'
import type { Caller } from '../src/index.ts'

/** The database's plan for a query, one step per line. */
export async function planOf(
  caller: Caller,
  terms: readonly (readonly [string, NarrowTerm['operand']])[],
): Promise<string[]> {
  const narrow = await compileNarrow(
    caller,
    terms.map(([operator, operand]) => ({ operator, operand, negated: false })),
  )
  const walk = { condition: conditionOf(caller, narrow), direction: 'desc', limit: 100 } as const
  const kinds = new Map<string, IndexScan>((await scansFor(caller, narrow)).map((scan) => [scan.by, scan]))
  const steps: string[] = []
  for (const scan of kinds.values()) {
    const compiled = scanQuery(caller, caller.db, scan, walk, { value: 1, lo: 1, hi: 100_000, limit: 100 }).compile()
    const plan = await caller.db.executeQuery<{ detail: string }>({
      ...compiled,
      sql: `explain query plan ${compiled.sql}`,
    })
    steps.push(...plan.rows.map((row) => row.detail))
  }
  return steps
}

export async function plansOf(caller: Caller, stream_id: number, topic: string): Promise<[string, string[]][]> {
  const narrows: [string, [string, NarrowTerm['operand']][]][] = [
    ['home view', []],
    [
      'in a topic',
      [
        ['channel', stream_id],
        ['topic', topic],
      ],
    ],
    ['in a channel', [['channel', stream_id]]],
    ['search', [['search', 'two words']]],
    ['is:starred', [['is', 'starred']]],
    ['is:unread', [['is', 'unread']]],
    ['sender:me', [['sender', 'me']]],
    ['has:image', [['has', 'image']]],
  ]
  return Promise.all(
    narrows.map(async ([name, terms]): Promise<[string, string[]]> => [name, await planOf(caller, terms)]),
  )
}
