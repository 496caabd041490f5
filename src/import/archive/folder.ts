import { createReadStream, readFileSync } from 'node:fs'
import { lstat, open, opendir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Refused } from '../refused.ts'
import type { Archive, ArchiveLimits } from './archive.ts'
import { checkedName, commonFolder, createTally, shown } from './names.ts'

/** Bytes that are read faster synchronously than in another thread. Exports have thousands of such files. */
const SMALL = 64 * 1024

/** A folder as an archive. Nothing in it may be a link, a device or the like. */
export async function openFolder(path: string, limits: ArchiveLimits): Promise<Archive> {
  const sizes = new Map<string, number>()
  const tally = createTally(limits)

  async function walk(below: string): Promise<void> {
    for await (const entry of await opendir(join(path, below))) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) {
        checkedName(`${name}/x`, limits)
        await walk(name)
        continue
      }
      if (!entry.isFile()) throw new Refused(`${shown(name)} is not a file. Links and devices are not imported.`)
      const { size } = await lstat(join(path, name))
      tally(name, size)
      sizes.set(checkedName(name, limits), size)
    }
  }
  await walk('')
  const root = commonFolder(sizes.keys())
  return archiveOf(
    new Map([...sizes].map(([name, size]) => [name.slice(root.length), size])),
    (name) => join(path, root, name),
    limits,
  )
}

/** One file as an archive. */
export async function openFile(path: string, limits: ArchiveLimits): Promise<Archive> {
  await using file = await open(path)
  const { size } = await file.stat()
  return archiveOf(new Map([[basename(path), size]]), (name) => join(dirname(path), name), limits)
}

function archiveOf(
  sizes: ReadonlyMap<string, number>,
  pathOf: (name: string) => string,
  limits: ArchiveLimits,
): Archive {
  return {
    names: [...sizes.keys()].sort(),
    has: (name) => sizes.has(name),
    size: (name) => sizes.get(name) ?? 0,
    async read(name) {
      const size = sizes.get(name) ?? 0
      requireWhole(name, size, limits)
      return size <= SMALL ? readFileSync(pathOf(name)) : readFile(pathOf(name))
    },
    stream: (name) => createReadStream(pathOf(name), { highWaterMark: 256 * 1024 }),
    async close() {},
  }
}

export function requireWhole(name: string, size: number, limits: ArchiveLimits): void {
  if (size <= limits.wholeBytes) return
  const mib = Math.floor(limits.wholeBytes / 1024 / 1024)
  throw new Refused(`${shown(name)} is larger than the limit of ${mib} MiB.`)
}
