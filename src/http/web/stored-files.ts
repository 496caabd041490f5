import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Vite's folder for everything whose name has a hash. */
export const HASHED_FOLDER = 'web'

/** Where the files of the web client are stored, by names such as `index.html` and `web/main-Dk3f9a.js.br`. */
export interface StoredFiles {
  readonly names: readonly string[]
  read(name: string): Promise<Uint8Array>
}

/** Returns the web client in a folder, of which only names are read now. */
export function filesIn(folder: string): StoredFiles {
  const namesIn = (path: string) => {
    const entries = existsSync(join(folder, path)) ? readdirSync(join(folder, path), { withFileTypes: true }) : []
    return entries.filter((entry) => entry.isFile()).map((entry) => `${path}${entry.name}`)
  }
  return {
    names: [...namesIn(''), ...namesIn(`${HASHED_FOLDER}/`)],
    read: (name) => readFile(join(folder, name)),
  }
}
