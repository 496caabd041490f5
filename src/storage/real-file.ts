import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StorageError } from './errors.ts'

/** The kernel's limit. */
const MAX_LINKS = 40

/**
 * Resolves symbolic links to a file that may not exist yet. A link to a database means the database, whose log, lock
 * and secret are beside the file itself. A path that isn't a link is returned unchanged.
 */
export function realFile(file: string): string {
  let found = file
  for (let links = 0; lstatSync(found, { throwIfNoEntry: false })?.isSymbolicLink(); links++) {
    if (links === MAX_LINKS) throw new StorageError('misuse', `${file} is a symbolic link that points back to itself`)
    found = resolve(realpathSync(dirname(found)), readlinkSync(found))
  }
  return found
}
