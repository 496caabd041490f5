import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Archive } from '../../../import/archive/archive.ts'
import { withAllDownloads } from '../../../import/archive/downloads.ts'
import { openArchive } from '../../../import/archive/open.ts'
import type { RecordOf } from '../../../import/format.ts'
import type { Reader } from '../../../import/readers/reader.ts'
import { readerFor } from '../../../import/recognize.ts'
import { Refused } from '../../../import/refused.ts'
import { systemCaller } from '../../accounts/create-organization.ts'
import { noteMessages as noteForWebhooks } from '../../bots/outgoing/triggers.ts'
import { checkImage } from '../../files/images/headers/read.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { pacer } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import { indexerOf } from '../../narrow/search/indexer.ts'
import { indexNext } from '../../narrow/search/text.ts'
import { noteMessages as noteForClients, ofBrowsers, ofDevices } from '../../push/note-messages.ts'
import { createDecider } from './decide.ts'
import type { Decision } from './decision.ts'
import { downloadFiles } from './download.ts'
import { loadExisting } from './existing.ts'
import { finishImport } from './finish.ts'
import { emptyJournal, type ImportRow, type Journal, openJournal } from './journal.ts'
import { newestPins, type PinChoice } from './newest-pins.ts'
import type { ImportOptions, ImportResult } from './options.ts'
import { createReport } from './report.ts'
import { createSorter } from './sort.ts'
import { createImportWriter } from './write.ts'
import type { OpenPeriods } from './write-messages.ts'

const STEP_EVERY = 500

/**
 * Imports an export of another server, or reports what that would bring. An import that was cut off resumes when it is started
 * again.
 *
 * @throws ChatError BAD_REQUEST with a sentence about what can't be imported
 */
export async function importArchive(
  chat: Chat,
  options: ImportOptions,
  progress: (text: string) => void = () => {},
): Promise<ImportResult> {
  try {
    const archive = await openArchive(options.file)
    try {
      const reader = await readerFor(archive, options.from)
      const whole = await withFiles(chat, archive, reader, options, progress)
      return await importFrom(await systemCaller(chat), whole, reader, options)
    } finally {
      await archive.close()
    }
  } catch (error) {
    throw error instanceof Refused ? badRequest(error.message) : error
  }
}

/** The archive, with the files that it only has the addresses of if they are to be downloaded. */
async function withFiles(
  chat: Chat,
  archive: Archive,
  reader: Reader,
  options: ImportOptions,
  progress: (text: string) => void,
): Promise<Archive> {
  const { file, topics = 'one', downloads = `${file.replace(/\/+$/, '')}.downloads`, signal, onProgress } = options
  if (!options.downloadFiles) return archive
  if (options.dryRun) return withAllDownloads(archive)
  const read = (noting: Archive) => reader.read(noting, { topics })
  return downloadFiles(chat, archive, { folder: downloads, read, signal, onProgress }, progress)
}

async function importFrom(
  caller: Caller,
  archive: Archive,
  reader: Reader,
  options: ImportOptions,
): Promise<ImportResult> {
  const name = options.name ?? basename(options.file)
  const { topics = 'one', mapping = new Map<string, string>(), into = false, onProgress } = options
  const download = options.downloadFiles ? { download: true } : {}
  const about = JSON.stringify({ topics, into, mapping: [...mapping], ...download })
  const fingerprint = fingerprintOf(reader, archive, about)
  const before = await unfinished(caller, fingerprint)
  const journal = before ? await openJournal(caller.db, before.id) : undefined
  const existing = await loadExisting(caller.db, journal ?? emptyJournal(), before?.first_message_id ?? null)
  if (existing.hasMessages && !into) {
    throw new Refused('This organization already has messages. Use --into to import into it.')
  }
  const now = before?.started_at ?? seconds(caller.chat.clock)
  const pins = newestPins()
  const decisions = (known: Pick<Journal, 'get'>, choosePin: PinChoice, onPerson?: ImportOptions['onPerson']) => {
    const report = createReport(reader.name)
    const source = reader.name
    const decider = createDecider({
      ...{ archive, existing, journal: known, report, mapping },
      ...{ now, source, choosePin, onPerson },
    })
    return { report, all: decided(caller, reader, archive, options, decider, report) }
  }

  const scan = decisions(journal ?? emptyJournal(), pins.gather, options.onPerson)
  let messages = 0
  let inOrder = true
  let last = 0
  for await (const decision of scan.all) {
    if (!('reactions' in decision)) continue
    const { date } = decision.record
    inOrder &&= date >= last
    last = date
    if (++messages % STEP_EVERY === 0) onProgress?.({ step: 'read', done: messages })
  }
  onProgress?.({ step: 'read', done: messages, total: messages })
  const report = scan.report.made()
  if (options.dryRun) return { import_id: null, messages, resumed: false, report }

  const row =
    before ??
    (await begin(caller, { source: reader.name, file: name, fingerprint, options: about, started_at: now }, messages))
  const range = { first: row.first_message_id!, last: row.last_message_id! }
  const own = journal ?? (await openJournal(caller.db, row.id))
  const openPeriods = await openPeriodsOf(caller, own, range.first)
  const writer = await createImportWriter({
    caller,
    archive,
    journal: own,
    range,
    done: row.messages_done,
    openPeriods,
  })
  const work = inOrder ? undefined : await mkdtemp(join(tmpdir(), 'chat-server-sort-'))
  try {
    const sorter =
      work === undefined ? undefined : createSorter<Extract<Decision, { record: RecordOf<'message'> }>>(work)
    let shown = -1
    const add = async (decision: Decision) => {
      options.signal?.throwIfAborted()
      await writer.add(decision)
      if (writer.stored() !== shown) {
        shown = writer.stored()
        onProgress?.({ step: 'imported', done: shown, total: messages })
      }
    }
    for await (const decision of decisions(own, pins.choose).all) {
      if (sorter && 'reactions' in decision) await sorter.add(decision)
      else await add(decision)
    }
    if (sorter) for await (const decision of sorter.sorted()) await add(decision)
    onProgress?.({ step: 'finishing', done: messages, total: messages })
    await finishImport(caller, own, range, await writer.end(), { report, file: name })
  } finally {
    if (work !== undefined) await rm(work, { recursive: true, force: true })
  }
  return { import_id: row.id, messages, resumed: before !== undefined, report }
}

/** What becomes of each record of the source, in order. Pictures of emoji are looked at before. */
async function* decided(
  caller: Caller,
  reader: Reader,
  archive: Archive,
  { topics = 'one', signal }: ImportOptions,
  { decide, end }: ReturnType<typeof createDecider>,
  report: ReturnType<typeof createReport>,
): AsyncGenerator<Decision> {
  const pace = pacer(caller)
  for await (const placed of reader.read(archive, { topics })) {
    const { record, place } = placed
    signal?.throwIfAborted()
    await pace()
    if (record.type === 'emoji' && archive.has(record.path) && !(await isPicture(archive, record.path))) {
      report.leftOut('emoji', 'its image is too large, or is not a PNG, GIF, JPEG or WebP image', place)
      continue
    }
    yield* decide(placed)
  }
  end()
}

async function isPicture(archive: Archive, path: string): Promise<boolean> {
  try {
    return checkImage(await archive.read(path)).width > 0
  } catch {
    return false
  }
}

function fingerprintOf(reader: Reader, archive: Archive, about: string): string {
  const hash = createHash('sha256').update(`${reader.name}\n${about}\n`)
  for (const name of archive.names) hash.update(`${name}\0${archive.size(name)}\n`)
  return hash.digest('hex')
}

/** The import of the same archive that was cut off. Throws where another one was, or where it is in already. */
async function unfinished({ db }: Caller, fingerprint: string): Promise<ImportRow | undefined> {
  const rows = await db.selectFrom('import').selectAll().where('undone_at', 'is', null).orderBy('id').execute()
  const running = rows.find((row) => row.finished_at === null)
  if (running && running.fingerprint !== fingerprint) {
    throw new Refused(
      `Import ${running.id} of ${running.file} is not finished. Run it again with the same options to resume it, or undo it.`,
    )
  }
  const same = rows.find((row) => row.fingerprint === fingerprint && row.finished_at !== null)
  if (same)
    throw new Refused(`This export was already imported as import ${same.id}. Undo that import to import it again.`)
  return running
}

/** Writes down that an import begins, and reserves ids for its messages: messages sent later have higher ids. */
async function begin(
  caller: Caller,
  about: Pick<ImportRow, 'source' | 'file' | 'fingerprint' | 'options' | 'started_at'>,
  messages: number,
): Promise<ImportRow> {
  await indexerOf(caller.chat).catchUp(caller)
  return caller.write(async (tx) => {
    const first = await reserve(tx, messages)
    return tx.db
      .insertInto('import')
      .values({
        ...about,
        finished_at: null,
        undone_at: null,
        first_message_id: first,
        last_message_id: first + messages - 1,
        messages_done: 0,
        report: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

async function reserve(tx: Tx, messages: number): Promise<number> {
  const dialect = dialectOf(tx.chat)
  const stored = await tx.db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const newest = Math.max(stored?.id ?? 0, (await dialect.newestIds(tx.db)).get('message') ?? 0)
  if (messages === 0) return newest + 1
  const last = newest + messages
  // What follows the messages by their ids has seen all that there are, and takes no imported one for a new one.
  while ((await indexNext(tx, 100)).left > 0);
  while (await noteForClients(tx, ofBrowsers));
  while (await noteForClients(tx, ofDevices));
  while (await noteForWebhooks(tx));
  await dialect.numberAbove(tx.db, 'message', last)
  await tx.db.updateTable('search_progress').set({ indexed_up_to: last }).execute()
  for (const table of ['web_push_progress', 'push_progress', 'outgoing_progress'] as const) {
    await tx.db.deleteFrom(table).execute()
    await tx.db.insertInto(table).values({ message_id: last }).execute()
  }
  return newest + 1
}

/** Periods of channels with protected history that an import which was cut off has begun. */
async function openPeriodsOf({ db, chat }: Caller, journal: Journal, first: number): Promise<OpenPeriods> {
  const rows = await db
    .selectFrom('subscription_period')
    .innerJoin('stream', 'stream.id', 'subscription_period.stream_id')
    .select(['stream_id', 'user_id'])
    .where('stream_id', 'in', dialectOf(chat).idsIn([...journal.created('channel')]))
    .where('history_public_to_subscribers', '=', 0)
    .where('to_message_id', 'is', null)
    .where('from_message_id', '>=', first)
    .execute()
  const open: OpenPeriods = new Map()
  for (const { stream_id, user_id } of rows) open.set(stream_id, (open.get(stream_id) ?? new Set()).add(user_id))
  return open
}
