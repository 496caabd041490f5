import { sql } from 'kysely'
import { groupGraph } from '../../access/group-graph.ts'
import { storedGroups } from '../../groups/stored.ts'
import type { Tx } from '../../kernel/context.ts'
import { forgetSettings } from '../../settings/organization.ts'
import { invalidateStream } from '../../streams/stored.ts'

/** Columns of JSON that may name accounts, and the members whose lists have IDs. */
const places = [
  { table: 'organization_setting', key: 'name', column: 'value' },
  { table: 'stream', key: 'id', column: 'settings' },
  { table: 'user_group', key: 'id', column: 'settings' },
] as const

/** Puts one account in the place of another one in permissions, recipients of drafts, and profile fields. */
export async function renameInJson(tx: Tx, from: number, into: number): Promise<void> {
  for (const { table, key, column } of places) {
    const { rows } = await sql<{ key: string | number; json: string }>`
      select ${sql.ref(key)} as key, ${sql.ref(column)} as json from ${sql.table(table)}
      where ${sql.ref(column)} like '%direct_members%'`.execute(tx.db)
    for (const row of rows) {
      const after = JSON.stringify(JSON.parse(row.json), (name, value) =>
        name === 'direct_members' ? replaced(value as number[], from, into) : value,
      )
      if (after === row.json) continue
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${after} where ${sql.ref(key)} = ${row.key}`.execute(
        tx.db,
      )
      if (table === 'stream') invalidateStream(tx, Number(row.key))
    }
  }
  forgetSettings(tx)
  groupGraph.invalidate(tx)
  storedGroups.invalidate(tx)
  const drafts = await tx.db
    .selectFrom('draft')
    .select(['id', 'recipients'])
    .where('type', '=', 'private')
    .where('recipients', 'like', `%${from}%`)
    .execute()
  for (const { id, recipients } of drafts) {
    const after = JSON.stringify(replaced(JSON.parse(recipients), from, into))
    await tx.db.updateTable('draft').set({ recipients: after }).where('id', '=', id).execute()
  }
  const values = await tx.db
    .selectFrom('profile_value')
    .innerJoin('profile_field', 'profile_field.id', 'profile_value.field_id')
    .select(['user_id', 'field_id', 'value'])
    .where('type', '=', PEOPLE)
    .where('value', 'like', `%${from}%`)
    .execute()
  for (const { user_id, field_id, value } of values) {
    const after = JSON.stringify(replaced(JSON.parse(value), from, into))
    await tx.db
      .updateTable('profile_value')
      .set({ value: after })
      .where('user_id', '=', user_id)
      .where('field_id', '=', field_id)
      .execute()
  }
}

/** The type of profile fields that name people. */
const PEOPLE = 6

const replaced = (ids: readonly number[], from: number, into: number): number[] =>
  ids.includes(from) ? [...new Set(ids.map((id) => (id === from ? into : id)))] : [...ids]
