import { codeOf } from '../errors.ts'

export const isFull = (error: unknown): boolean => /^(SQLITE_FULL|ENOSPC)$/.test(codeOf(error))
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY')
/** After a failed read, write or sync of the disk, later results can't be trusted. */
export const isDiskFailure = (error: unknown): boolean => /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(codeOf(error))
