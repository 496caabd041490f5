import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { filesIn, type StoredFiles } from './stored-files.ts'

/**
 * Returns the web client that this package brings along, if it can be found. The single executable has another file in
 * the place of this one (scripts/release/executable/built-files.ts).
 */
export function builtFiles(): StoredFiles | undefined {
  const folder = builtFolder()
  return folder === undefined ? undefined : filesIn(folder)
}

/** `dist/web` of this package, from the source tree, the compiled one and the bundle alike. */
function builtFolder(from = new URL('.', import.meta.url)): string | undefined {
  if (isOwnPackage(new URL('package.json', from))) return fileURLToPath(new URL('dist/web', from))
  const parent = new URL('..', from)
  return parent.href === from.href ? undefined : builtFolder(parent)
}

/** An application that bundles this one has a package.json, and perhaps pages, of its own. */
const isOwnPackage = (file: URL): boolean =>
  existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'chat-server'
