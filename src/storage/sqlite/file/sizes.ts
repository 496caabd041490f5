import { stat } from 'node:fs/promises'
import type Database from 'better-sqlite3'
import type { StoreSizes } from '../../store.ts'

/** Returns the sizes of the files, or of the pages in memory. */
export async function sizesOf(database: Database.Database): Promise<StoreSizes> {
  if (database.memory) {
    const pragma = (name: string) => Number(database.pragma(name, { simple: true }))
    return { database_bytes: pragma('page_count') * pragma('page_size'), log_bytes: 0 }
  }
  const [file, log] = await Promise.all([stat(database.name), stat(`${database.name}-wal`).catch(() => undefined)])
  return { database_bytes: file.size, log_bytes: log?.size ?? 0 }
}
