import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isFile } from './open-store.ts'

/**
 * Returns the bytes that this user can still store on the disk of a database or folder; infinity for a database that
 * isn't a file.
 */
export function spaceOnDisk(database: string): number {
  if (!isFile(database)) return Number.POSITIVE_INFINITY
  const place = existsSync(database) ? database : dirname(database)
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize
}
