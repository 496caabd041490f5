import type { Selectable } from 'kysely'
import { type Db, flag, type ImportTable, nextTurn, statement, type TxDb } from '../../../storage/index.ts'

/** Rows that one query returns. */
const PAGE = 2000

export type ImportRow = Selectable<ImportTable>

export interface JournalEntry {
  id: number
  isNew: boolean
}

const insert = statement(
  (db, p: { import_id: number; kind: string; source_id: string; object_id: number; is_new: 0 | 1 }) =>
    db.insertInto('import_object').values({
      import_id: p.import_id,
      kind: p.kind,
      source_id: p.source_id,
      object_id: p.object_id,
      is_new: p.is_new,
    }),
)

/**
 * The objects that an import has created so far, by kind and the source's id. Messages are in the database, the rest in memory.
 * Each write calls `begin` first, because it may run again, and `settle` after its commit to keep its objects.
 */
export interface Journal {
  readonly import_id: number
  get(kind: string, source_id: string): JournalEntry | undefined
  /** Ids of everything of a kind that the import created. */
  created(kind: string): Set<number>
  /** Writes down, in the commit of the change, that this is in. */
  note(db: TxDb, kind: string, source_id: string, entry: JournalEntry): Promise<void>
  /** The same for a message, which is kept in the database only. */
  noteMessage(db: TxDb, source_id: string, message_id: number): Promise<void>
  begin(): void
  settle(): void
}

type Kinds = Map<string, Map<string, JournalEntry>>

function put(kinds: Kinds, kind: string, source_id: string, entry: JournalEntry): void {
  const known = kinds.get(kind)
  if (known) known.set(source_id, entry)
  else kinds.set(kind, new Map([[source_id, entry]]))
}

export async function openJournal(db: Db, import_id: number): Promise<Journal> {
  const kinds: Kinds = new Map()
  let pending: Kinds = new Map()
  for await (const row of rowsOf(db, import_id))
    put(kinds, row.kind, row.source_id, { id: row.object_id, isNew: row.is_new === 1 })
  const noteRow = (tx: TxDb, kind: string, source_id: string, { id, isNew }: JournalEntry) =>
    insert(tx, { import_id, kind, source_id, object_id: id, is_new: flag(isNew) })
  return {
    import_id,
    get: (kind, source_id) => pending.get(kind)?.get(source_id) ?? kinds.get(kind)?.get(source_id),
    created: (kind) => new Set([...(kinds.get(kind)?.values() ?? [])].filter((one) => one.isNew).map((one) => one.id)),
    async note(tx, kind, source_id, entry) {
      await noteRow(tx, kind, source_id, entry)
      put(pending, kind, source_id, entry)
    },
    noteMessage: async (tx, source_id, id) => void (await noteRow(tx, 'message', source_id, { id, isNew: true })),
    begin() {
      pending = new Map()
    },
    settle() {
      for (const [kind, entries] of pending) for (const [source, entry] of entries) put(kinds, kind, source, entry)
      pending = new Map()
    },
  }
}

/** Yields the rows of everything but messages, a page at a time. */
async function* rowsOf(db: Db, import_id: number) {
  const own = db.selectFrom('import_object').where('import_id', '=', import_id)
  const found = await own.select('kind').distinct().where('kind', '!=', 'message').execute()
  for (const { kind } of found) {
    for (let after = ''; ; ) {
      const rows = await own
        .select(['kind', 'source_id', 'object_id', 'is_new'])
        .where('kind', '=', kind)
        .where('source_id', '>', after)
        .orderBy('source_id')
        .limit(PAGE)
        .execute()
      yield* rows
      if (rows.length < PAGE) break
      after = rows.at(-1)!.source_id
      await nextTurn()
    }
  }
}

/** A journal of nothing, for a dry run. */
export const emptyJournal = (): Pick<Journal, 'get' | 'created'> => ({ get: () => undefined, created: () => new Set() })
