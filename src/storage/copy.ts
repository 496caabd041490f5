import { createHash, type Hash } from 'node:crypto'
import { sql } from 'kysely'
import type { TableFacts } from './dialect.ts'
import { StorageError } from './errors.ts'
import type { Db, TxDb } from './handle.ts'
import type { SearchText } from './search/search-index.ts'
import type { Store } from './store.ts'

/** Rows read and written at a time; fewer if a row may have a quarter of a megabyte. */
const PAGE = 500
const PAGE_OF_BYTES = 16
/** Tables that belong to one database, or that are derived from the others. */
const NOT_COPIED = ['migration', 'shared_secret', 'peer_change']

type Row = Record<string, unknown>

export interface CopiedTable {
  name: string
  rows: number
}

/**
 * Copies everything from one database into another that has no organization, in one transaction. Afterwards either
 * everything is there, read back and compared, or nothing is. All ids stay the same, and new ones follow them.
 */
export async function copyDatabase(
  from: Store,
  to: Store,
  report: (copied: CopiedTable) => void = () => {},
): Promise<CopiedTable[]> {
  const source = await from.dialect.tables(from.db)
  requireSameTables(source, await to.dialect.tables(to.db))
  return from.snapshot((db) =>
    to.write(async (tx) => {
      const copied: CopiedTable[] = []
      for (const table of inOrder(source)) {
        const rows = await copyTable(db, tx.db, to, table)
        copied.push({ name: table.name, rows })
        report({ name: table.name, rows })
      }
      for (const [table, id] of await from.dialect.newestIds(db)) {
        if (!NOT_COPIED.includes(table)) await to.dialect.numberAbove(tx.db, table, id)
      }
      return copied
    }),
  )
}

function requireSameTables(from: readonly TableFacts[], to: readonly TableFacts[]): void {
  const shape = (tables: readonly TableFacts[]) => JSON.stringify(tables.map(({ name, columns }) => [name, columns]))
  if (shape(from) !== shape(to)) throw new StorageError('unsupported', 'The two databases have different tables.')
}

/** Sorts the tables so that each comes after the ones it refers to. */
function inOrder(tables: readonly TableFacts[]): TableFacts[] {
  const left = new Map(tables.map((table) => [table.name, table]))
  const ordered: TableFacts[] = []
  function take(table: TableFacts): void {
    if (!left.delete(table.name)) return
    for (const name of table.references) {
      const referenced = left.get(name)
      if (referenced) take(referenced)
    }
    ordered.push(table)
  }
  for (const table of tables) take(table)
  return ordered.filter(({ name }) => !NOT_COPIED.includes(name))
}

async function copyTable(from: Db, tx: TxDb, to: Store, table: TableFacts): Promise<number> {
  const { name } = table
  await tx.deleteFrom(name as 'message').execute()
  const sent = createHash('sha256')
  let rows = 0
  for await (const page of pages(from, table)) {
    rows += page.length
    for (const row of page) digest(sent, table, row)
    if (name === 'search_text') {
      await to.dialect.search.add(tx, page as unknown as readonly SearchText[])
    } else {
      await tx
        .insertInto(name as 'message')
        .values(page as never)
        .execute()
    }
  }
  const found = createHash('sha256')
  for await (const page of pages(tx, table)) for (const row of page) digest(found, table, row)
  if (sent.digest('hex') !== found.digest('hex')) {
    throw new StorageError('broken', `The table ${name} differs after copying. Nothing was copied.`)
  }
  return rows
}

/** Reads all rows in the order of the primary key. */
async function* pages(db: Db, { name, key, columns }: TableFacts): AsyncGenerator<Row[]> {
  const limit = name === 'blob_chunk' ? PAGE_OF_BYTES : PAGE
  const list = (names: readonly string[]) => sql.join(names.map((each) => sql.ref(each)))
  let last: Row | undefined
  for (;;) {
    const after = last && sql`where (${list(key)}) > (${sql.join(key.map((column) => last![column]))})`
    const order = key.length > 0 ? sql`order by ${list(key)}` : sql``
    const { rows } = await sql<Row>`
      select ${list(columns)} from ${sql.table(name)} ${after ?? sql``} ${order} limit ${sql.lit(limit)}`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < limit || key.length === 0) return
    last = rows.at(-1)
  }
}

function digest(hash: Hash, { columns }: TableFacts, row: Row): void {
  const values = columns.map((column) => {
    const value = row[column]
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
  })
  hash.update(JSON.stringify(values))
}
