/** Storage's own failures. Core never throws these; the HTTP shell maps them by name. */
export class StorageError extends Error {
  readonly kind: 'busy' | 'closed' | 'full' | 'newer' | 'broken' | 'unsupported' | 'misuse'
  constructor(kind: StorageError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
    this.kind = kind
  }
}

/** What SQLite or Node call the failure. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

export const isFull = (error: unknown): boolean => codeOf(error) === 'SQLITE_FULL'
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY')
/** After a failed read, write or sync of the disk nothing that follows can be trusted. */
export const isDiskFailure = (error: unknown): boolean => /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(codeOf(error))
