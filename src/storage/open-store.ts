import { IN_MEMORY, type OpenOptions } from './open-options.ts'
import { isPostgres, withoutPassword } from './postgres/address.ts'
import { openSqlite } from './sqlite/open-store.ts'
import type { Store } from './store.ts'

/** Opens temporary databases. Tests replace it. */
export const throwaway = { open: openSqlite }

/**
 * Opens a database and brings its tables up to date. A file is locked for this process. Processes can share a database
 * on a PostgreSQL server. Throws StorageError: busy, newer, unsupported, unavailable, broken.
 */
export async function openStore(options: OpenOptions): Promise<Store> {
  if (options.file === IN_MEMORY) return throwaway.open(options)
  if (!isPostgres(options.file)) return openSqlite(options)
  const { openPostgres } = await import('./postgres/open-store.ts')
  return openPostgres(options)
}

/** Returns whether a database is a file on this machine. */
export const isFile = (database: string): boolean => database !== IN_MEMORY && !isPostgres(database)

/** Returns the name of a database for messages and logs: a file, or an address without its password. */
export const nameOf = (database: string): string => (isPostgres(database) ? withoutPassword(database) : database)
