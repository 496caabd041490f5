/** Storage's own failures. Core never throws these; the HTTP shell maps them by `kind`. */
export class StorageError extends Error {
  /**
   * - `busy`: another process has the database open.
   * - `closed`: the store was closed.
   * - `full`: the disk is full.
   * - `newer`: created by a newer version.
   * - `unavailable`: the database server can't be reached for now. It is unknown whether the last change was stored.
   * - `broken`: damaged, or the disk fails.
   * - `unsupported`: this place, file or version can't be used.
   * - `misuse`: a bug of the caller.
   */
  readonly kind: 'busy' | 'closed' | 'full' | 'newer' | 'unavailable' | 'broken' | 'unsupported' | 'misuse'
  constructor(kind: StorageError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
    this.kind = kind
  }
}

/** Thrown inside an appending write if it does more than append. The write then runs again, alone. */
export class MustRunAlone extends Error {
  constructor() {
    super('this write may not run while other processes append')
    this.name = 'MustRunAlone'
  }
}

export const storeClosed = (): StorageError => new StorageError('closed', 'the store is closed')

/** Returns the error code of SQLite or Node, or PostgreSQL's SQLSTATE; empty if there is none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
