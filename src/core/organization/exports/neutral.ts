import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Archive as OpenArchive } from '../../../import/archive/archive.ts'
import { openArchive } from '../../../import/archive/open.ts'
import { FORMAT, FORMAT_VERSION, type NewRecord, type Placed } from '../../../import/format.ts'
import { zulip } from '../../../import/readers/zulip.ts'
import type { Context } from '../../kernel/context.ts'
import { createArchive } from './archive.ts'
import { nameDurably, newArchive, writeArchive } from './write-archive.ts'

interface NeutralOptions {
  /** A new file. */
  path: string
  /** A folder for temporary files. */
  work: string
  /** The folder of everything in the archive. */
  folder: string
  /** Chooses and reduces records, for example the records of one person. It is asked for each archive. */
  choose?: (records: () => AsyncIterable<Placed>) => Promise<(record: NewRecord) => NewRecord | undefined>
  /** The person whose messages and files alone are read. */
  author?: number
  /** More files by name, as JSON. */
  more?: Readonly<Record<string, unknown>>
}

/**
 * Writes the organization's data in the import format, as a compressed archive. It is made from an export in Zulip's format, so
 * that both have the same rows and one reader decides what they mean. Returns how many records of each type it has.
 */
export async function writeNeutral(
  context: Context,
  { path, work, folder, choose, author, more = {} }: NeutralOptions,
): Promise<Record<string, number>> {
  const whole = join(work, 'export.tar.gz')
  await writeArchive(context, { kind: 'full', path: whole, work, folder, author })
  const from = await openArchive(whole, { work })
  await rm(whole)
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  const to = createArchive(partial, newArchive(context, path, folder))
  try {
    const read = () => zulip.read(from, { topics: 'one' })
    const take = (await choose?.(read)) ?? ((record: NewRecord) => record)
    const lines = join(work, 'import.jsonl')
    const { counts, entries } = await writeLines(lines, read(), take, from)
    await to.addFile('import.jsonl', lines)
    await rm(lines)
    for (const name of entries) await to.addPieces(name, from.size(name), from.stream(name))
    for (const [name, value] of Object.entries(more)) await to.addText(name, `${JSON.stringify(value, null, 2)}\n`)
    await to.finish()
    await nameDurably(partial, path)
    return counts
  } catch (error) {
    await to.abandon(error as Error)
    await rm(partial, { force: true })
    throw error
  } finally {
    await from.close()
  }
}

/** Writes records as lines. Returns their counts, and the entries of the archive that they name. */
async function writeLines(
  path: string,
  records: AsyncIterable<Placed>,
  take: (record: NewRecord) => NewRecord | undefined,
  from: OpenArchive,
) {
  const counts: Record<string, number> = {}
  const entries = new Set<string>()
  async function* lines(): AsyncGenerator<string> {
    yield `${JSON.stringify({ type: 'header', format: FORMAT, version: FORMAT_VERSION, source: 'jsonl' })}\n`
    for await (const { record: given } of records) {
      const record = take(given)
      if (!record) continue
      counts[record.type] = (counts[record.type] ?? 0) + 1
      const entry = record.type === 'user' ? record.avatar : 'path' in record ? record.path : undefined
      if (entry !== undefined && from.has(entry)) entries.add(entry)
      yield `${JSON.stringify(record)}\n`
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  return { counts, entries }
}
