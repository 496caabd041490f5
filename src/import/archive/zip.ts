import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { type Entry, fromFd, type ZipFile } from 'yauzl'
import { Refused } from '../refused.ts'
import type { Archive, ArchiveLimits } from './archive.ts'
import { requireWhole } from './folder.ts'
import { checkedName, commonFolder, createTally, shown } from './names.ts'

/** Where an entry is. There may be a million. */
interface Place {
  offset: number
  packed: number
  size: number
  method: number
  crc: number
}

const LOCAL_HEADER = 30
const SIGNATURE = 0x04034b50
const SYMLINK = 0o120000
const FILE_TYPE = 0o170000
const REGULAR = 0o100000
const STORED = 0
const DEFLATED = 8
const UNIX = 3

/** A zip file. Entries are read where they are, so nothing is unpacked to disk. */
export async function openZip(path: string, limits: ArchiveLimits): Promise<Archive> {
  const file = await open(path)
  try {
    const { size: end } = await file.stat()
    const places = await directoryOf(file, limits)
    const root = commonFolder(places.keys())
    const byName = new Map([...places].map(([name, place]) => [name.slice(root.length), place]))
    const placeOf = (name: string): Place => {
      const place = byName.get(name)
      if (!place) throw new Refused(`The archive has no file ${shown(name)}.`)
      return place
    }
    const read = async (name: string): Promise<Uint8Array> => {
      const place = placeOf(name)
      requireWhole(name, place.size, limits)
      return unpacked(name, place, await packedBytes(file, place, end, name))
    }
    return {
      names: [...byName.keys()].sort(),
      has: (name) => byName.has(name),
      size: (name) => byName.get(name)?.size ?? 0,
      read,
      async *stream(name) {
        const place = placeOf(name)
        if (place.size <= limits.wholeBytes / 8) yield await read(name)
        else yield* inflated(file, name, place, end)
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The entries by name, from the directory at the end. */
async function directoryOf(file: FileHandle, limits: ArchiveLimits): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  const tally = createTally(limits)
  const openFd = promisify(fromFd) as unknown as (fd: number, options: object) => Promise<ZipFile>
  try {
    const zip = await openFd(file.fd, { lazyEntries: true, autoClose: false, validateEntrySizes: true })
    await new Promise<void>((resolve, reject) => {
      zip.on('error', reject)
      zip.on('end', resolve)
      zip.on('entry', (entry: Entry) => {
        try {
          add(entry)
          zip.readEntry()
        } catch (error) {
          reject(error as Error)
        }
      })
      zip.readEntry()
    })
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(`The zip file is damaged: ${(error as Error).message}.`)
  }
  return places

  function add(entry: Entry): void {
    const name = checkedName(entry.fileName, limits)
    if (entry.fileName.endsWith('/')) return
    const mode = entry.externalFileAttributes >>> 16
    const type = mode & FILE_TYPE
    if (entry.versionMadeBy >> 8 === UNIX && type !== 0 && type !== REGULAR) {
      throw new Refused(`${shown(name)} is ${type === SYMLINK ? 'a link' : 'not a file'}. Only files are imported.`)
    }
    if (entry.generalPurposeBitFlag & 1) throw new Refused(`${shown(name)} is encrypted.`)
    if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
      throw new Refused(`${shown(name)} uses a compression method other than deflate.`)
    }
    if (places.has(name)) throw new Refused(`The archive has two files named ${shown(name)}.`)
    tally(name, entry.uncompressedSize, entry.compressedSize)
    places.set(name, {
      offset: entry.relativeOffsetOfLocalHeader,
      packed: entry.compressedSize,
      size: entry.uncompressedSize,
      method: entry.compressionMethod,
      crc: entry.crc32,
    })
  }
}

/** Where an entry's bytes begin: behind a header whose length only it knows. */
async function startOf(file: FileHandle, { offset, packed }: Place, end: number, name: string): Promise<number> {
  const header = Buffer.alloc(LOCAL_HEADER)
  await file.read(header, 0, LOCAL_HEADER, offset)
  const start = offset + LOCAL_HEADER + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (header.readUInt32LE(0) !== SIGNATURE || start + packed > end) throw damaged(name)
  return start
}

async function packedBytes(file: FileHandle, place: Place, end: number, name: string): Promise<Buffer> {
  const bytes = Buffer.alloc(place.packed)
  await file.read(bytes, 0, place.packed, await startOf(file, place, end, name))
  return bytes
}

function unpacked(name: string, { method, size, crc }: Place, bytes: Buffer): Uint8Array {
  let content: Uint8Array
  try {
    content = method === STORED ? bytes : inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) })
  } catch {
    throw damaged(name)
  }
  if (content.length !== size || crc32(content) !== crc) throw damaged(name)
  return content
}

async function* inflated(file: FileHandle, name: string, place: Place, end: number): AsyncGenerator<Uint8Array> {
  const start = await startOf(file, place, end, name)
  const packed = Readable.from(piecesOf(file, start, place.packed))
  const pieces = place.method === STORED ? packed : packed.pipe(createInflateRaw())
  packed.on('error', (error) => pieces.destroy(error))
  let size = 0
  let crc = 0
  try {
    for await (const piece of pieces as AsyncIterable<Uint8Array>) {
      size += piece.length
      if (size > place.size) throw damaged(name)
      crc = crc32(piece, crc)
      yield piece
    }
  } catch (error) {
    throw error instanceof Refused ? error : damaged(name)
  }
  if (size !== place.size || crc !== place.crc) throw damaged(name)
}

const PIECE = 256 * 1024

async function* piecesOf(file: FileHandle, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(PIECE, length - at)), 0, undefined, start + at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

const damaged = (name: string) => new Refused(`${shown(name)} is damaged in the archive.`)
