import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isFile } from './open-store.ts'

/** Bytes that this user can still store on the disk of a database or folder; infinitely many for a database that is no file. */
export function spaceOnDisk(database: string): number {
  if (!isFile(database)) return Number.POSITIVE_INFINITY
  const place = existsSync(database) ? database : dirname(database)
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize
}
