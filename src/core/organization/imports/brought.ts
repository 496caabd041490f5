import type { Caller, Tx } from '../../kernel/context.ts'
import { whileMore } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import type { ImportRow } from './journal.ts'

/** How many rows one step of an undo removes. */
export const OBJECTS = 100

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
): Promise<void> {
  await whileMore(caller, async (tx) => {
    const rows = await tx.db
      .selectFrom('import_object')
      .select(['source_id', 'object_id'])
      .where('import_id', '=', id)
      .where('kind', '=', kind)
      .where('is_new', '=', 1)
      .limit(OBJECTS)
      .execute()
    if (rows.length === 0) return false
    await remove(tx, rows)
    await tx.db
      .deleteFrom('import_object')
      .where('import_id', '=', id)
      .where('kind', '=', kind)
      .where('source_id', 'in', dialectOf(tx.chat).textsIn(rows.map((row) => row.source_id)))
      .execute()
    return true
  })
}

export const idsOf = (tx: Tx, rows: readonly Brought[]) => dialectOf(tx.chat).idsIn(rows.map((row) => row.object_id))
