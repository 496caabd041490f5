import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { unpackTar } from 'modern-tar'
import type { Chat } from '../../../src/core/kernel/chat.ts'
import { contextOf } from '../../../src/core/kernel/context.ts'
import type { ExportKind } from '../../../src/core/organization/exports/tables/scope.ts'
import { writeArchive } from '../../../src/core/organization/exports/write-archive.ts'
import { TemporaryFolder } from '../../temporary-folder.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of any table, read back from JSON.
export type Row = any

/** An archive, read back. */
export interface Contents {
  folder: string
  files: Map<string, Uint8Array>
  json(name: string): Row
  /** All rows of a table, of all the files that have some. */
  rows(table: string): Row[]
}

export async function readArchive(gz: AsyncIterable<Uint8Array>): Promise<Contents> {
  const pieces: Uint8Array[] = []
  const gunzip = createGunzip()
  const reading = (async () => {
    for await (const piece of gunzip) pieces.push(piece)
  })()
  for await (const piece of gz) gunzip.write(piece)
  gunzip.end()
  await reading
  const entries = await unpackTar(new Uint8Array(Buffer.concat(pieces)))
  const folder = entries[0]!.header.name.split('/')[0]!
  const files = new Map<string, Uint8Array>()
  for (const { header, data } of entries) {
    if (!header.name.startsWith(`${folder}/`)) throw new Error(`${header.name} is not below ${folder}`)
    files.set(header.name.slice(folder.length + 1), data!)
  }
  const json = (name: string) => JSON.parse(Buffer.from(files.get(name)!).toString())
  return {
    folder,
    files,
    json,
    rows(table) {
      const tables = [...files.keys()].filter((name) => /^[\w-]+\.json$/.test(name)).map(json)
      return tables.flatMap((file) => file[table] ?? [])
    },
  }
}

/** Returns an unmodified archive of a chat. */
export async function exported(chat: Chat, kind: ExportKind): Promise<Contents> {
  using work = new TemporaryFolder()
  const path = join(work.path, 'a.tar.gz')
  await writeArchive(contextOf(chat), { kind, path, work: work.path, folder: 'archive' })
  return await readArchive(createReadStream(path))
}
