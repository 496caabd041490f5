import { IN_MEMORY, type OpenOptions } from './open-options.ts'
import { isPostgres, withoutPassword } from './postgres/address.ts'
import { openSqlite } from './sqlite/open-store.ts'
import type { Store } from './store.ts'

/** What a database that is thrown away is opened with; the tests put another in its place. */
export const throwaway = { open: openSqlite }

/**
 * Opens a database and brings its tables up to date: a file, which it locks for this process, or a database of a PostgreSQL
 * server, which processes share. Throws StorageError: busy, newer, unsupported, unavailable, broken.
 */
export async function openStore(options: OpenOptions): Promise<Store> {
  if (options.file === IN_MEMORY) return throwaway.open(options)
  if (!isPostgres(options.file)) return openSqlite(options)
  const { openPostgres } = await import('./postgres/open-store.ts')
  return openPostgres(options)
}

/** Whether a database is a file of this machine. */
export const isFile = (database: string): boolean => database !== IN_MEMORY && !isPostgres(database)

/** A database in messages and logs: a file, or an address without its password. */
export const nameOf = (database: string): string => (isPostgres(database) ? withoutPassword(database) : database)
