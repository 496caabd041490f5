import { Refused } from '../refused.ts'
import type { ArchiveLimits } from './archive.ts'

/** A name in an archive, without a leading `./`. Rejects names that point outside the archive. */
export function checkedName(name: string, limits: ArchiveLimits): string {
  const parts = name.replace(/^\.\//, '').split('/')
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name) || name.includes('\\') || parts.includes('..')) {
    throw new Refused(`The archive has a path that points outside of it: ${shown(name)}.`)
  }
  if (name.includes('\0')) throw new Refused(`The archive has a name with a zero byte: ${shown(name)}.`)
  if (parts.length > limits.depth) {
    throw new Refused(`The archive has more than ${limits.depth} levels of folders: ${shown(name)}.`)
  }
  return parts.filter((part) => part !== '.' && part !== '').join('/')
}

export const shown = (name: string): string => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)

/** Counts files and bytes, and rejects archives above the limits. */
export function createTally(limits: ArchiveLimits): (name: string, size: number, packed?: number) => void {
  let files = 0
  let bytes = 0
  return (name, size, packed) => {
    if (++files > limits.files) throw new Refused(`The archive has more than ${limits.files} files.`)
    bytes += size
    if (bytes > limits.bytes) {
      throw new Refused(`The archive unpacks to more than ${Math.floor(limits.bytes / 1024 / 1024)} MiB.`)
    }
    if (packed !== undefined && size > 1024 * 1024 && size > limits.ratio * Math.max(packed, 1)) {
      throw new Refused(`${shown(name)} is compressed more than ${limits.ratio} times, which no real export is.`)
    }
  }
}

/** Where all files are in one folder, it belongs to no name. */
export function commonFolder(names: Iterable<string>): string {
  let folder: string | undefined
  for (const name of names) {
    const slash = name.indexOf('/')
    if (slash === -1) return ''
    folder ??= name.slice(0, slash + 1)
    if (!name.startsWith(folder)) return ''
  }
  return folder ?? ''
}
