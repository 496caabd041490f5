import { sql } from 'kysely'
import { addressKey } from '../fold.ts'
import type { Db } from '../handle.ts'
import type { Migration } from '../migration.ts'

/** Sessions of browsers are distinguished from other keys, and an address counts as one however its domain is written. */
export const account: Migration = {
  name: '2026-12-03-account',
  async up(db, dialect) {
    const text = sql.raw(dialect.columnTypes.text)
    await db.schema
      .alterTable('api_key')
      .addColumn('kind', text, (c) => c.notNull().defaultTo('key'))
      .execute()
    // Until now only their names distinguished sessions from other keys.
    await db.updateTable('api_key').set({ kind: 'session' }).where('name', 'in', sessionNames).execute()
    await writeKeys(db)
  },
}

async function writeKeys(db: Db): Promise<void> {
  const users = await db.selectFrom('user').select(['id', 'delivery_email', 'email_key']).orderBy('id').execute()
  const taken = new Set(users.map(({ email_key }) => email_key))
  for (const { id, delivery_email, email_key } of users) {
    const key = addressKey(delivery_email)
    // Of two accounts with one address in two spellings, the second keeps its own key.
    if (key === email_key || taken.has(key)) continue
    taken.add(key)
    await db.updateTable('user').set({ email_key: key }).where('id', '=', id).execute()
  }
}

const sessionNames = ['Edge', 'Firefox', 'Chrome', 'Safari', 'Browser'].flatMap((browser) => [
  browser,
  ...['iOS', 'Android', 'Windows', 'macOS', 'Linux'].map((system) => `${browser} on ${system}`),
])
