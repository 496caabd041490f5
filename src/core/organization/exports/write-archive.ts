import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { groupBy } from '../../kernel/base/lists.ts'
import { type Context, inSnapshot } from '../../kernel/context.ts'
import { pacer } from '../../kernel/slices.ts'
import { type Archive, createArchive } from './archive.ts'
import { writeTables } from './json-file.ts'
import { messages } from './tables/messages.ts'
import { type ExportKind, scopeOf } from './tables/scope.ts'
import { type Row, type Source, sourceOf } from './tables/source.ts'
import { analyticsTables, exportTables } from './tables/table.ts'
import { attachments, writeUploads } from './uploads.ts'

/** A file of messages ends at whichever limit comes first. */
const MAX_MESSAGES = 1000
const MAX_CHARACTERS = 1_000_000

/** Counts of the rows of a file, by table. */
type Counts = Record<string, number>

/**
 * Writes `messages-000001.json` and so on. Returns the counts of each, and the messages that refer to each file. There
 * are at most as many ids as references to files.
 */
async function writeMessages(
  source: Source,
  archive: Archive,
): Promise<{ counts: Map<string, Counts>; references: Map<number, number[]> }> {
  const counts = new Map<string, Counts>()
  const references = new Map<number, number[]>()
  let sent: string[] = []
  let receipts: string[] = []
  let characters = 0

  async function flush(): Promise<void> {
    if (sent.length === 0) return
    const name = `messages-${String(counts.size + 1).padStart(6, '0')}`
    counts.set(name, { zerver_message: sent.length, zerver_usermessage: receipts.length })
    const text = `{"zerver_message":[${sent.join(',\n')}],\n"zerver_usermessage":[${receipts.join(',\n')}]}\n`
    sent = []
    receipts = []
    characters = 0
    await archive.addText(`${name}.json`, text)
  }
  const put = (list: string[], row: Row) => {
    const json = JSON.stringify(row)
    list.push(json)
    characters += json.length
  }

  const turn = pacer(source.reader)
  for await (const page of messages(source)) {
    for (const { message, received, file_ids } of page) {
      await turn()
      put(sent, message)
      for (const row of received()) put(receipts, row)
      for (const file_id of file_ids) {
        const known = references.get(file_id)
        if (known) known.push(message.id as number)
        else references.set(file_id, [message.id as number])
      }
      if (sent.length >= MAX_MESSAGES || characters >= MAX_CHARACTERS) await flush()
    }
  }
  await flush()
  return { counts, references }
}

interface ArchiveOptions {
  kind: ExportKind
  /** A new file. */
  path: string
  /** A folder for temporary files. */
  work: string
  /** The folder of everything in the archive. */
  folder: string
}

/** The archive's content: rows by file and table, and how many files of each kind. */
type ExportStats = Record<string, Counts | number>

/** The version of upstream whose format archives have. */
const FORMAT_VERSION = '10.0'

/**
 * Writes the organization's data as a compressed archive in upstream's format at level 371: tables as JSON, messages
 * in files of at most a thousand, and unchanged uploaded files. All of it is from one moment. It is read page by page
 * off the event loop, and temporary data is on disk, so memory doesn't grow with the organization. The context's
 * signal cancels it. The file has its name when it is complete.
 */
export async function writeArchive(
  context: Context,
  { kind, path, work, folder }: ArchiveOptions,
): Promise<ExportStats> {
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  const archive = createArchive(partial, folder, new Date(context.chat.clock.now()), context.signal)
  try {
    const stats = await inSnapshot(context, async (reader) => {
      const source = await sourceOf(reader, await scopeOf(reader, kind))
      return writeAll(source, archive, work)
    })
    await archive.addText('stats.json', `${JSON.stringify(stats, null, 2)}\n`)
    await archive.finish()
    await nameDurably(partial, path)
    return stats
  } catch (error) {
    await archive.abandon(error as Error)
    await rm(partial, { force: true })
    throw error
  }
}

/** Gives a complete file its name, so that a file of that name is never cut off. */
async function nameDurably(partial: string, path: string): Promise<void> {
  const file = await open(partial)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partial, path)
}

async function writeAll(source: Source, archive: Archive, work: string): Promise<ExportStats> {
  const tables = async (
    name: string,
    list: Parameters<typeof writeTables>[1],
    more: Readonly<Record<string, string>> = {},
  ) => {
    const path = join(work, name)
    const counts = await writeTables(path, list, { more, signal: source.reader.signal })
    await archive.addFile(name, path)
    await rm(path)
    return counts
  }
  const rowsOf = (list: typeof exportTables) => list.map(([name, rows]) => [name, () => rows(source)] as const)

  const { counts, references } = await writeMessages(source, archive)
  const scheduled = await scheduledReferences(source)
  const file_ids = [...new Set([...references.keys(), ...scheduled.keys()])].sort((a, b) => a - b)
  const files = await writeUploads(source, archive, work, file_ids)
  const attached = () => attachments(source, references, scheduled, file_ids)
  // Imports compare migrations with their own, but there are none to compare.
  await archive.addText(
    'migration_status.json',
    `${JSON.stringify({ migrations_by_app: {}, zulip_version: FORMAT_VERSION })}\n`,
  )
  return {
    attachment: await tables('attachment.json', [['zerver_attachment', attached]]),
    analytics: await tables('analytics.json', rowsOf(analyticsTables)),
    ...Object.fromEntries(counts),
    realm: await tables('realm.json', rowsOf(exportTables), { import_source: 'zulip' }),
    ...files,
  }
}

/** Returns files in the scheduled messages of users who agreed. */
async function scheduledReferences({ db, scope }: Source): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('scheduled_message_file')
    .innerJoin('scheduled_message', 'scheduled_message.id', 'scheduled_message_file.scheduled_message_id')
    .select(['file_id', 'scheduled_message_id', 'sender_id', 'conversation_id'])
    .orderBy('scheduled_message_id')
    .execute()
  const theirs = rows.filter(
    (row) =>
      scope.consenting.has(row.sender_id) &&
      (scope.streams.has(row.conversation_id) || scope.directs.has(row.conversation_id)),
  )
  return groupBy(
    theirs,
    (row) => row.file_id,
    (row) => row.scheduled_message_id,
  )
}
