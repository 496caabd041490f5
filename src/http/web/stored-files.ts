import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** Vite's folder for files with a hash in their names. */
export const HASHED_FOLDER = 'web'

/** Reads the files of a built web client that isn't in a folder, for instance from an executable's resources. */
export interface WebFilesReader {
  /** Their paths in Vite's output, such as `index.html` and `web/main-Dk3f9a.js.br`. */
  readonly names: Iterable<string>
  /** Their folder, for error messages. */
  readonly folder?: string
  /** Returns the bytes of one of them. Called once for each. */
  read(name: string): Uint8Array | Promise<Uint8Array>
}

/** Returns a reader of all files below a folder. Only the names are read here. */
export function allFilesIn(folder: string): WebFilesReader {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  return { folder, names: files.map((file) => file.replaceAll(sep, '/')), read: (name) => readFile(join(folder, name)) }
}

/** Returns the web client in a folder. It reads only the names. */
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
