import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allFilesIn, filesIn, type WebFilesReader } from './stored-files.ts'

/** The web client, or the documentation site. */
export type BuiltPart = 'web' | 'docs'

/**
 * Returns the built files of this package, if they can be found. The single executable replaces this module
 * (scripts/release/executable/built-files.ts).
 */
export function builtFiles(part: BuiltPart = 'web'): WebFilesReader | undefined {
  const folder = builtFolder(part)
  if (folder === undefined) return undefined
  return part === 'web' ? filesIn(folder) : allFilesIn(folder)
}

/** Returns a folder of `dist`, from the source tree, the compiled files and the bundle alike. */
function builtFolder(part: BuiltPart, from = new URL('.', import.meta.url)): string | undefined {
  if (isOwnPackage(new URL('package.json', from))) return fileURLToPath(new URL(`dist/${part}`, from))
  const parent = new URL('..', from)
  return parent.href === from.href ? undefined : builtFolder(part, parent)
}

/** An application that bundles this package has its own package.json, and perhaps its own pages. */
const isOwnPackage = (file: URL): boolean =>
  existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'chat-server'
