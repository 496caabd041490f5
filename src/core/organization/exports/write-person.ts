import { sql } from 'kysely'
import { internalTables, ownTableNames, ownTables, secretColumns } from '../../accounts/own-tables.ts'
import type { Context } from '../../kernel/context.ts'
import { writeNeutral } from './neutral.ts'
import { ofPerson } from './of-person.ts'

type Row = Record<string, unknown>

/** Everything that belongs to an account in separate tables, without its secrets. */
async function accountOf({ db }: Context, user_id: number): Promise<Record<string, Row[]>> {
  const account: Record<string, Row[]> = {}
  for (const table of ownTableNames.filter((name) => !internalTables.has(name))) {
    const { rows } =
      await sql<Row>`select * from ${sql.table(table)} where ${sql.ref(ownTables[table])} = ${user_id}`.execute(db)
    account[table] = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !secretColumns.has(name))),
    )
  }
  return account
}

/**
 * Writes one person's messages, files and settings: records in the import format, and `account.json` with everything
 * else.
 */
export async function writePerson(
  context: Context,
  user_id: number,
  files: { path: string; work: string; folder: string },
): Promise<Record<string, number>> {
  const more = { 'account.json': await accountOf(context, user_id) }
  return writeNeutral(context, { ...files, choose: ofPerson(String(user_id)), more })
}
