import { sql } from 'kysely'
import { internalTables, ownTableNames, ownTables, secretColumns } from '../../accounts/own-tables.ts'
import type { Context } from '../../kernel/context.ts'
import { canReadStream } from '../../streams/access.ts'
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
  account.reaction = await db
    .selectFrom('reaction')
    .select(['message_id', 'emoji_name'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()
  return account
}

interface PersonOptions {
  path: string
  work: string
  folder: string
  /** Whether the person asked for it. Channels that they can't read then keep their names to themselves. */
  isOwn?: boolean
}

/**
 * Writes one person's messages, files and settings: records in the import format, and `account.json` with everything
 * else.
 */
export async function writePerson(
  context: Context,
  user_id: number,
  { isOwn = false, ...files }: PersonOptions,
): Promise<Record<string, number>> {
  const hidden = isOwn ? await hiddenFrom(context, user_id) : new Set<string>()
  const account = await accountOf(context, user_id)
  account.user_topic = account.user_topic!.filter(({ stream_id }) => !hidden.has(String(stream_id)))
  const more = { 'account.json': account }
  return writeNeutral(context, { ...files, author: user_id, choose: ofPerson(String(user_id), hidden), more })
}

/** Returns the channels that a person can't read. */
async function hiddenFrom({ db }: Context, user_id: number): Promise<Set<string>> {
  const user = await db.selectFrom('user').select(['id', 'role']).where('id', '=', user_id).executeTakeFirstOrThrow()
  const streams = await db
    .selectFrom('stream')
    .leftJoin('subscription', (join) =>
      join.onRef('subscription.stream_id', '=', 'stream.id').on('subscription.user_id', '=', user_id),
    )
    .selectAll('stream')
    .select('subscription.is_active as active')
    .execute()
  const hidden = streams.filter(
    ({ active, ...stream }) => !canReadStream({ ...stream, subscribed: active === 1 }, user),
  )
  return new Set(hidden.map(({ id }) => String(id)))
}
