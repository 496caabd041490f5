import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** Vite's folder for everything whose name has a hash. */
export const HASHED_FOLDER = 'web'

/** Where the files of a built web client come from, if not from a folder: the resources of an executable, for instance. */
export interface WebFilesReader {
  /** Their paths in Vite's output, such as `index.html` and `web/main-Dk3f9a.js.br`. */
  readonly names: Iterable<string>
  /** The folder they are in, for messages. */
  readonly folder?: string
  /** Returns the bytes of one of them. Called once for each. */
  read(name: string): Uint8Array | Promise<Uint8Array>
}

/** Returns every file below a folder, of which only names are read now. */
export function allFilesIn(folder: string): WebFilesReader {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  return { folder, names: files.map((file) => file.replaceAll(sep, '/')), read: (name) => readFile(join(folder, name)) }
}

/** Returns the web client in a folder, of which only names are read now. */
export function filesIn(folder: string): WebFilesReader {
  const namesIn = (path: string) => {
    const entries = existsSync(join(folder, path)) ? readdirSync(join(folder, path), { withFileTypes: true }) : []
    return entries.filter((entry) => entry.isFile()).map((entry) => `${path}${entry.name}`)
  }
  return {
    folder,
    names: [...namesIn(''), ...namesIn(`${HASHED_FOLDER}/`)],
    read: (name) => readFile(join(folder, name)),
  }
}
