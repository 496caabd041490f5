import { type RawBuilder, sql } from 'kysely'
import type { Caller, Tx } from '../../kernel/context.ts'
import { whileMore } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import { references } from './references.ts'

/** Rows changed in one write. */
const SLICE = 500

/** Gives rows of one account to another one, or deletes them, as `references` says. */
export async function moveRows(caller: Caller, from: number, into: number): Promise<void> {
  const tables = await dialectOf(caller.chat).tables(caller.db)
  for (const [place, how] of Object.entries(references)) {
    const [table, column] = place.split('.') as [string, string]
    const key = tables.find(({ name }) => name === table)!.key
    if (how === 'delete') await whileMore(caller, (tx) => deleteSome(tx, { table, column, key }, from))
    else if (how === 'move') await whileMore(caller, (tx) => moveSome(tx, { table, column, key }, from, into))
    else if ('unless' in how)
      await whileMore(caller, async (tx) => {
        await deleteKnown(tx, { table, column }, how.unless, from, into)
        return moveSome(tx, { table, column, key }, from, into)
      })
  }
  await caller.write(({ db }) => db.deleteFrom('muted_user').whereRef('user_id', '=', 'muted_user_id').execute())
}

interface Place {
  table: string
  column: string
  key: readonly string[]
}

/** A condition on some rows of an account. */
function some({ table, column, key }: Place, user_id: number): RawBuilder<boolean> {
  const columns = sql.join(key.map((name) => sql.ref(name)))
  return sql<boolean>`(${columns}) in (
    select ${columns} from ${sql.table(table)} where ${sql.ref(column)} = ${user_id} limit ${sql.lit(SLICE)})`
}

async function moveSome(tx: Tx, place: Place, from: number, into: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${into} where ${some(place, from)}`.execute(tx.db)
  return Number(numAffectedRows) > 0
}

async function deleteSome(tx: Tx, place: Place, from: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(place.table)} where ${some(place, from)}`.execute(tx.db)
  return Number(numAffectedRows) > 0
}

/** Deletes rows that the other account has too. */
async function deleteKnown(
  tx: Tx,
  { table, column }: Omit<Place, 'key'>,
  same: readonly string[],
  from: number,
  into: number,
): Promise<void> {
  const equal = same.map((name) => sql`other.${sql.ref(name)} = ${sql.ref(`${table}.${name}`)}`)
  const is = sql.join([sql`other.${sql.ref(column)} = ${into}`, ...equal], sql` and `)
  await sql`
    delete from ${sql.table(table)} where ${sql.ref(column)} = ${from}
    and exists (select 1 from ${sql.table(table)} as other where ${is})`.execute(tx.db)
}
