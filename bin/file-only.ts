import { isFile, nameOf } from '../src/storage/index.ts'

/** Rejects a database on a server in commands that need a file, and says what to use instead. */
export function requireFile(db: string, instead: string): void {
  if (!isFile(db)) throw new Error(`${nameOf(db)} is not a file: ${instead}`)
}
