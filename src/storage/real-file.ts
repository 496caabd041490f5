import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StorageError } from './errors.ts'

/** As the kernel has it. */
const MAX_LINKS = 40

/**
 * The file that symbolic links lead to, existing or not: a link to a database is the database, and its log, lock and
 * secret lie beside the file itself. A path that is no link comes back as it is.
 */
export function realFile(file: string): string {
  let found = file
  for (let links = 0; lstatSync(found, { throwIfNoEntry: false })?.isSymbolicLink(); links++) {
    if (links === MAX_LINKS) throw new StorageError('misuse', `${file} is a symbolic link that leads in a circle`)
    found = resolve(realpathSync(dirname(found)), readlinkSync(found))
  }
  return found
}
