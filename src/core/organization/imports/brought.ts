import { performance } from 'node:perf_hooks'
import type { Caller, Tx } from '../../kernel/context.ts'
import { nextSize } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import type { ImportRow } from './journal.ts'

/** How many rows the first step of an undo removes. Later steps have as many as fit into a short time. */
export const OBJECTS = 20
const MOST_OBJECTS = 500

/** A row of the journal: what an import created. */
export interface Brought {
  source_id: string
  object_id: number
}

/** Removes everything of a kind that the import created, with its rows of the journal, some at a time. */
export async function eachBrought(
  caller: Caller,
  { id }: ImportRow,
  kind: string,
  remove: (tx: Tx, rows: readonly Brought[]) => Promise<void>,
  first = OBJECTS,
): Promise<void> {
  await inSteps(caller, first, async (tx, size) => {
    const rows = await tx.db
      .selectFrom('import_object')
      .select(['source_id', 'object_id'])
      .where('import_id', '=', id)
      .where('kind', '=', kind)
      .where('is_new', '=', 1)
      .limit(size)
      .execute()
    if (rows.length === 0) return 0
    await remove(tx, rows)
    await tx.db
      .deleteFrom('import_object')
      .where('import_id', '=', id)
      .where('kind', '=', kind)
      .where('source_id', 'in', dialectOf(tx.chat).textsIn(rows.map((row) => row.source_id)))
      .execute()
    return rows.length
  })
}

/**
 * Runs one write after another until `work`, which gets the number of rows that it should handle, returns 0. `afterEach`
 * gets the number that the write returned.
 */
export async function inSteps(
  caller: Caller,
  first: number,
  work: (tx: Tx, size: number) => Promise<number>,
  afterEach: (count: number) => Promise<void> = async () => {},
): Promise<void> {
  let size = first
  for (let isMore = true; isMore; ) {
    const count = await caller.write(async (tx) => {
      const began = performance.now()
      const done = await work(tx, size)
      size = Math.min(MOST_OBJECTS, nextSize(size, performance.now() - began))
      return done
    })
    isMore = count > 0
    await afterEach(count)
  }
}

export const idsOf = (tx: Tx, rows: readonly Brought[]) => dialectOf(tx.chat).idsIn(rows.map((row) => row.object_id))
