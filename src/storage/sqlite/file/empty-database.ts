import { existsSync, readFileSync, rmSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { writeAtomically } from '../../atomic-file.ts'

/** The file that `npm run build` puts beside the bundled command. The library has none. */
export const EMPTY_DATABASE = 'empty-database.gz'

/**
 * Puts an empty database with all tables in the place of a missing file, because making the tables takes a fourth of the
 * first start. Returns whether it did. If it can't, SQLite makes the file, or says why not.
 */
export function placeEmptyDatabase(file: string, image: Uint8Array | undefined): boolean {
  if (existsSync(file)) return false
  try {
    const content = image ?? builtDatabase()
    if (content) writeAtomically(file, content)
    return content !== undefined
  } catch {
    rmSync(`${file}.new`, { force: true })
    return existsSync(file)
  }
}

function builtDatabase(): Uint8Array | undefined {
  const path = new URL(`./${EMPTY_DATABASE}`, import.meta.url)
  return existsSync(path) ? gunzipSync(readFileSync(path)) : undefined
}
