import { IN_MEMORY } from './open-options.ts'
import { isPostgres, withoutPassword } from './postgres/address.ts'

/** Whether a database is a file of this machine. */
export const isFile = (database: string): boolean => database !== IN_MEMORY && !isPostgres(database)

/** A database in messages and logs: a file, or an address without its password. */
export const nameOf = (database: string): string => (isPostgres(database) ? withoutPassword(database) : database)
