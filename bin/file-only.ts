import { isFile, nameOf } from '../src/storage/index.ts'

/** For commands about a file, where the database is on a server: says what to use in its place. */
export function requireFile(db: string, instead: string): void {
  if (!isFile(db)) throw new Error(`${nameOf(db)} is not a file: ${instead}`)
}
