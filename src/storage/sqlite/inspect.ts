import type Database from 'better-sqlite3'
import { sql } from 'kysely'
import type { Db } from '../handle.ts'
import type { Inspection } from '../store.ts'
import { createConnection, sqliteHandle } from './connection.ts'
import type { Health } from './health.ts'
import { createSnapshots } from './snapshots.ts'

/** Collects facts for `doctor`. Another thread reads the file, because that takes seconds per gigabyte. */
export async function inspect(database: Database.Database, health: Health): Promise<Inspection> {
  const pragma = (name: string) => database.pragma(name, { simple: true })
  return {
    sqlite_version: String(database.prepare('select sqlite_version()').pluck().get()),
    journal_mode: String(pragma('journal_mode')),
    locking_mode: String(pragma('locking_mode')),
    synchronous: Number(pragma('synchronous')),
    foreign_keys: Number(pragma('foreign_keys')),
    page_count: Number(pragma('page_count')),
    page_size: Number(pragma('page_size')),
    ...(await elsewhere(database, health)),
  }
}

async function elsewhere(database: Database.Database, health: Health) {
  if (database.memory) return check(sqliteHandle(createConnection(database, health, false), () => undefined))
  const snapshots = createSnapshots(database.name, health)
  try {
    return await snapshots.run(check)
  } finally {
    await snapshots.close()
  }
}

async function check(db: Db) {
  const { rows: found } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  const { rows: broken } = await sql`pragma foreign_key_check`.execute(db)
  return { integrity: found.map((row) => row.integrity_check), foreign_key_errors: broken.length }
}
