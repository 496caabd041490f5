import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { groupBy } from '../../kernel/base/lists.ts'
import { type Context, inSnapshot } from '../../kernel/context.ts'
import { pacer } from '../../kernel/slices.ts'
import { type CustomEmoji, customEmojiById } from '../emoji/custom-emoji.ts'
import { type Archive, createArchive, type NewArchive } from './archive.ts'
import { type TableFile, writeTables } from './json-file.ts'
import { messagesFile } from './messages-file.ts'
import { roomBeside } from './room.ts'
import { messages, pinnedMessages, reactions, submessages } from './tables/messages.ts'
import { type ExportKind, type ExportScope, scopeOf } from './tables/scope.ts'
import { type Source, sourceOf } from './tables/source.ts'
import { analyticsTables, exportTables } from './tables/table.ts'
import { attachments, type Target, writePictures, writeUploads } from './uploads.ts'

/** Counts of the rows of a file, by table. */
type Counts = Record<string, number>

interface WrittenMessages {
  counts: Map<string, Counts>
  references: Map<number, number[]>
}

/**
 * Writes `messages-000001.json` and so on. Returns the counts of each, and the messages that refer to each file. There
 * are at most as many ids as references to files.
 */
async function writeMessages(
  context: Context,
  about: Pick<Source, 'scope' | 'clients'>,
  archive: Archive,
): Promise<WrittenMessages> {
  const counts = new Map<string, Counts>()
  const references = new Map<number, number[]>()
  // One file is filled while the other is compressed.
  let [file, other] = [messagesFile(), messagesFile()]
  let adding = Promise.resolve()

  async function flush(): Promise<void> {
    if (file.messages === 0) return
    await adding
    const name = `messages-${String(counts.size + 1).padStart(6, '0')}`
    counts.set(name, { zerver_message: file.messages, zerver_usermessage: file.receipts })
    const pieces = file.pieces()
    adding = archive.addPieces(
      `${name}.json`,
      pieces.reduce((size, piece) => size + piece.length, 0),
      pieces,
    )
    // The next `flush` throws its failure.
    adding.catch(() => {})
    ;[file, other] = [other, file]
    file.clear()
  }

  const turn = pacer(context)
  for await (const page of messages(context, about)) {
    for (let next = page.exported.shift(); next; next = page.exported.shift()) {
      await turn()
      file.add(next, page)
      const { message, file_ids } = next
      for (const file_id of file_ids) {
        const known = references.get(file_id)
        if (known) known.push(message.id as number)
        else references.set(file_id, [message.id as number])
      }
      if (file.isFull()) await flush()
    }
  }
  await flush()
  await adding
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
  /** The person whose messages and files alone it includes. */
  author?: number | undefined
}

/** The archive's content: rows by file and table, and how many files of each kind. */
type ExportStats = Record<string, Counts | number>

/** The version of upstream whose format archives have. */
const FORMAT_VERSION = '10.0'

/** Returns the options of an archive that will have this path. */
export const newArchive = ({ chat, signal }: Context, path: string, folder: string): NewArchive => ({
  folder,
  mtime: new Date(chat.clock.now()),
  room: roomBeside(chat, path),
  signal,
})

/**
 * Writes the organization's data as a compressed archive in upstream's format at level 371: tables as JSON, messages
 * in files of at most a thousand, and unchanged uploaded files. Messages are those sent before it began, each page as
 * it is when it is read. The tables of people and channels are from one later moment. Everything is read page by page
 * off the event loop, and temporary data is on disk, so memory doesn't grow with the organization. The context's
 * signal cancels it. The file has its name when it is complete.
 */
export async function writeArchive(
  context: Context,
  { kind, path, work, folder, author }: ArchiveOptions,
): Promise<ExportStats> {
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  const options = newArchive(context, path, folder)
  const archive = createArchive(partial, options)
  try {
    const scope = await inSnapshot(context, (reader) => scopeOf(reader, kind, author))
    const clients = new Map<string, number>()
    const written = await writeMessages(context, { scope, clients }, archive)
    const about = { scope, clients, written }
    const stats = await writeOthers(context, about, { archive, work, room: options.room })
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
export async function nameDurably(partial: string, path: string): Promise<void> {
  const file = await open(partial)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partial, path)
}

interface About extends Pick<Source, 'scope' | 'clients'> {
  written: WrittenMessages
}

/**
 * Writes everything but messages. The log of the database grows while a snapshot is open, so only the tables of people
 * and channels share one. Reactions and files of people come before it, because everyone they name exists in it, too.
 * Emoji come after it.
 */
async function writeOthers(
  context: Context,
  { scope, clients, written: { counts, references } }: About,
  target: Target,
): Promise<ExportStats> {
  const { archive, work, room } = target
  const options = { signal: context.signal, room }
  const inWork = (name: string) => join(work, name)
  async function move(name: string): Promise<void> {
    await archive.addFile(name, inWork(name))
    await rm(inWork(name))
  }
  async function addAll({ add }: TableFile, list: typeof exportTables, source: Source): Promise<void> {
    for (const [name, rows] of list) await add(name, await rows(source))
  }

  const scheduled = await inSnapshot(context, (reader) => scheduledReferences(reader, scope))
  const more = [...(await draftFiles(context, scope)), ...(await filesOf(context, scope.author))]
  const file_ids = [...new Set([...references.keys(), ...scheduled.keys(), ...more])].sort((a, b) => a - b)
  const files = await writeUploads(context, target, file_ids, scope.author)

  let analytics: Counts = {}
  let attached = scheduled
  let emoji: CustomEmoji[] = []
  const realm = await writeTables(
    inWork('realm.json'),
    { ...options, more: { import_source: 'zulip' } },
    async (file) => {
      await file.add('zerver_reaction', reactions(context, scope))
      // Zulip's own archives have no votes, and its imports ignore them.
      await file.add('zerver_submessage', submessages(context, scope))
      // Zulip has no pinned messages.
      await file.add('pinned_message', pinnedMessages(context, scope))
      await inSnapshot(context, async (reader) => {
        const source = await sourceOf(reader, scope, clients)
        await addAll(file, exportTables, source)
        emoji = [...(await customEmojiById(reader)).values()]
        attached = await scheduledReferences(reader, scope)
        analytics = await writeTables(inWork('analytics.json'), options, (other) =>
          addAll(other, analyticsTables, source),
        )
      })
    },
  )
  const organizationFiles = await writePictures(context, target, emoji)
  const attachment = await writeTables(inWork('attachment.json'), options, async ({ add }) => {
    await add('zerver_attachment', attachments(context, references, attached, file_ids))
  })
  // Imports compare migrations with their own, but there are none to compare.
  await archive.addText(
    'migration_status.json',
    `${JSON.stringify({ migrations_by_app: {}, zulip_version: FORMAT_VERSION })}\n`,
  )
  for (const name of ['attachment.json', 'analytics.json', 'realm.json']) await move(name)
  return { attachment, analytics, ...Object.fromEntries(counts), realm, ...files, ...organizationFiles }
}

/** Returns files in the drafts of users who agreed. */
async function draftFiles({ db }: Context, { consenting }: ExportScope): Promise<number[]> {
  const rows = await db
    .selectFrom('draft_file')
    .innerJoin('draft', 'draft.id', 'draft_file.draft_id')
    .select(['file_id', 'user_id'])
    .execute()
  return rows.filter((row) => consenting.has(row.user_id)).map((row) => row.file_id)
}

/** Returns all files that a person uploaded. */
async function filesOf({ db }: Context, owner_id: number | undefined): Promise<number[]> {
  if (owner_id === undefined) return []
  return (await db.selectFrom('file').select('id').where('owner_id', '=', owner_id).execute()).map(({ id }) => id)
}

/** Returns files in the scheduled messages of users who agreed. */
async function scheduledReferences({ db }: Context, scope: ExportScope): Promise<Map<number, number[]>> {
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
