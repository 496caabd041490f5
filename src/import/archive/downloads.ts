import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Archive, defaultArchiveLimits } from './archive.ts'
import { requireWhole } from './folder.ts'

/** No name in an archive begins with a slash. */
const PREFIX = '/downloads/'

/** The name of a download's file. */
export const downloadName = (url: string): string => createHash('sha256').update(url).digest('hex')

const isDownload = (name: string): boolean => name.startsWith(PREFIX)

/** An archive that has a copy of every address, for a dry run. */
export const withAllDownloads = (archive: Archive): Archive => ({
  ...archive,
  has: (name) => isDownload(name) || archive.has(name),
  size: (name) => (isDownload(name) ? 0 : archive.size(name)),
  downloaded: (url) => PREFIX + downloadName(url),
})

/** An archive together with a folder of downloads. The names of the archive remain its own. */
export async function withDownloads(archive: Archive, folder: string): Promise<Archive> {
  const sizes = new Map<string, number>()
  for (const file of await readdir(folder))
    if (/^[0-9a-f]{64}$/.test(file)) sizes.set(PREFIX + file, (await lstat(join(folder, file))).size)
  const pathOf = (name: string) => join(folder, name.slice(PREFIX.length))
  return {
    ...archive,
    has: (name) => sizes.has(name) || archive.has(name),
    size: (name) => sizes.get(name) ?? archive.size(name),
    async read(name) {
      const size = sizes.get(name)
      if (size === undefined) return archive.read(name)
      requireWhole('A download', size, defaultArchiveLimits)
      return readFile(pathOf(name))
    },
    stream: (name) => (sizes.has(name) ? createReadStream(pathOf(name)) : archive.stream(name)),
    downloaded(url) {
      const name = PREFIX + downloadName(url)
      return sizes.has(name) ? name : undefined
    },
  }
}

/** The addresses whose files a reader would take if they were downloaded. */
export async function addressesIn(
  archive: Archive,
  read: (archive: Archive) => AsyncIterable<unknown>,
): Promise<Set<string>> {
  const urls = new Set<string>()
  const noting: Archive = {
    ...archive,
    downloaded(url) {
      urls.add(url)
      return undefined
    },
  }
  for await (const _ of read(noting));
  return urls
}
