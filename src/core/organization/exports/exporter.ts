import { existsSync } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BLOB_CHUNK_BYTES, createBlob, putBlobChunk, statement } from '../../../storage/index.ts'
import { leads } from '../../events/log/follow-peers.ts'
import { dropBlob } from '../../files/dropped-blobs.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Context, contextOf, type SystemTx } from '../../kernel/context.ts'
import { diskSpaceOf } from '../../kernel/disk-space.ts'
import { defineService } from '../../kernel/service.ts'
import { storeOf } from '../../kernel/store.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { aloneAmongPeers } from './alone.ts'
import { type DataExport, emitExports, OWN_KIND } from './export-view.ts'

/** Makes the requested archives one after another. */
export interface Exporter {
  /** Call it after a request, and when the chat opens. */
  wake(): void
  /**
   * Runs another export while no archive is in progress: two would take twice the memory. Its signal aborts when the chat
   * is closed, or with `signal`.
   */
  alone<T>(work: (signal: AbortSignal) => Promise<T>, options: AloneOptions): Promise<T>
  /** Resolves when the archive in progress is canceled. */
  stop(): Promise<void>
  /** Resolves when all requested archives are done. */
  settled(): Promise<void>
}

interface AloneOptions {
  signal: AbortSignal | undefined
  /** Files and folders that the work removes, unless it is killed. */
  leaves: readonly string[]
  /** Called if it has to wait. */
  onWait(): void
}

export const exporterOf = defineService<Exporter>('exporter')

export const kindOf = (kind: number) => (kind === 1 ? 'public' : 'consent')

export function startExporter(chat: Chat): Exporter {
  const abort = new AbortController()
  const context = contextOf(chat, { signal: abort.signal })
  const logged = (error: unknown) => {
    if (!abort.signal.aborted) chat.options.logger.error({ err: error }, 'exporting failed')
  }
  let running: Promise<void> = Promise.resolve()
  /** The archive in progress. */
  let current: Promise<unknown> | undefined
  let isFirst = true
  async function alone<T>(
    work: (signal: AbortSignal) => Promise<T>,
    { signal: ended, leaves, onWait }: AloneOptions,
  ): Promise<T> {
    const signal = ended ? AbortSignal.any([abort.signal, ended]) : abort.signal
    let hasWaited = false
    const tell = () => {
      if (!hasWaited) onWait()
      hasWaited = true
    }
    while (current) {
      tell()
      await current
    }
    const begin = async () => {
      signal.throwIfAborted()
      return work(signal)
    }
    const made = aloneAmongPeers(chat, begin, { signal, leaves, onWait: tell })
    current = made.catch(() => {})
    try {
      return await made
    } finally {
      current = undefined
    }
  }
  const run = async () => {
    while (!abort.signal.aborted && leads(chat)) {
      if (isFirst) await failInterrupted(context)
      isFirst = false
      if (!(await nextOf(context))) return
      const leaves = [workFolder(chat)]
      if (!(await alone(() => makeNext(context), { signal: undefined, leaves, onWait() {} }))) return
    }
  }
  return {
    wake() {
      running = running.then(run).catch(logged)
    },
    alone,
    settled: () => running,
    async stop() {
      abort.abort(new Error('the chat was closed'))
      await running
      await current
    },
  }
}

const interrupted = statement((db, _: object) =>
  db
    .selectFrom('data_export')
    .selectAll()
    .where('begun_at', 'is not', null)
    .where('finished_at', 'is', null)
    .where('failed_at', 'is', null),
)

/**
 * An archive in progress when the process ended isn't made again, because it may be the reason. Its files are removed,
 * because they take space until then.
 */
const failInterrupted = async (context: Context): Promise<void> => {
  const begun = await interrupted(context.db, {})
  if (begun.length === 0) return
  await rm(workFolder(context.chat), { recursive: true, force: true })
  for (const row of begun) await context.write((tx) => fail(tx, row))
}

async function fail(tx: SystemTx, { id }: Pick<DataExport, 'id'>): Promise<void> {
  const row = await tx.db.selectFrom('data_export').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await change(tx, id, { failed_at: seconds(tx.chat.clock), blob_id: null })
  if (row.blob_id !== null) await dropBlob(tx, row.blob_id, 'unread')
  await emitExports(tx, row)
}

const change = (tx: SystemTx, id: number, values: Partial<DataExport>) =>
  tx.db.updateTable('data_export').set(values).where('id', '=', id).execute()

const requested = statement((db, _: object) =>
  db.selectFrom('data_export').selectAll().where('begun_at', 'is', null).orderBy('id').limit(1),
)

const nextOf = async ({ db }: Context) => (await requested(db, {}))[0]

/** Returns whether an archive was requested. */
async function makeNext(context: Context): Promise<boolean> {
  const { chat } = context
  const next = await nextOf(context)
  if (!next) return false
  await context.write((tx) => change(tx, next.id, { begun_at: seconds(chat.clock) }))
  const work = workFolder(chat)
  try {
    await rm(work, { recursive: true, force: true })
    diskSpaceOf(chat).requireRoomForFile(0)
    await mkdir(work, { mode: 0o700 })
    const path = join(work, 'archive.tar.gz')
    const name = archiveName(chat)
    await write(context, next, { path, work, folder: name })
    await keep(context, next, path, `1/${randomText(chat.random, 32)}/${name}.tar.gz`)
  } catch (error) {
    // A closed chat writes nothing more. The next start sees that this archive is incomplete.
    if (context.signal?.aborted) return false
    chat.options.logger.error({ err: error, export_id: next.id }, 'an export failed')
    await context.write((tx) => fail(tx, next))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return true
}

async function write(
  context: Context,
  { kind, user_id }: DataExport,
  files: { path: string; work: string; folder: string },
): Promise<void> {
  if (kind === OWN_KIND) {
    const { writePerson } = await import('./write-person.ts')
    await writePerson(context, user_id, { ...files, isOwn: true })
    return
  }
  const { writeArchive } = await import('./write-archive.ts')
  await writeArchive(context, { kind: kindOf(kind), ...files })
}

/** Returns the name of an archive, which is also its folder. */
export const archiveName = ({ clock }: Chat): string =>
  `chat-export-${new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '-')}`

/**
 * Returns a folder beside the database, where there is space for a second one. Removes what an ended process left
 * there.
 */
function workFolder(chat: Chat): string {
  const { file } = storeOf(chat)
  return !existsSync(file) ? join(tmpdir(), `chat-server-export-${process.pid}`) : `${file}.export`
}

/** Stores an archive in the database, a piece per write, like an uploaded file. */
async function keep(context: Context, { id, user_id, kind }: DataExport, file: string, path: string): Promise<void> {
  const { chat } = context
  const blob_id = await context.write(async (tx) => {
    const blob = await createBlob(tx.db, 'application/gzip', seconds(chat.clock))
    await change(tx, id, { blob_id: blob })
    return blob
  })
  const source = await open(file)
  let size = 0
  try {
    const piece = Buffer.allocUnsafe(BLOB_CHUNK_BYTES)
    for (let seq = 0; ; seq++) {
      context.signal?.throwIfAborted()
      const { bytesRead } = await source.read(piece, 0, BLOB_CHUNK_BYTES, seq * BLOB_CHUNK_BYTES)
      if (bytesRead === 0) break
      size += bytesRead
      diskSpaceOf(chat).requireRoomForFile(bytesRead)
      await context.write(({ db }) => putBlobChunk(db, blob_id, seq, piece.subarray(0, bytesRead)), { relaxed: true })
    }
  } finally {
    await source.close()
  }
  await context.write(async (tx) => {
    await change(tx, id, { path, size, finished_at: seconds(chat.clock) })
    await enqueueMail(tx, {
      kind: 'export_ready',
      once: `export ${id}`,
      user_id,
      data: { export_id: id, own: kind === OWN_KIND ? 1 : 0 },
    })
    await emitExports(tx, { kind })
  })
}
