import type { Updateable } from 'kysely'
import { type FileTable, insertBlob, statement } from '../../storage/index.ts'
import type { StoredFile } from '../access/files.ts'
import { leads } from '../events/log/follow-peers.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import { type Context, contextOf, type SystemTx } from '../kernel/context.ts'
import { defineService } from '../kernel/service.ts'
import { storeOf } from '../kernel/store.ts'
import { withImageFile } from './image-file.ts'
import { formatsFor } from './images/formats.ts'
import { makeThumbnail } from './images/resize.ts'
import { MAX_ATTEMPTS } from './shown-images.ts'

/** Makes thumbnails one after another, off the event loop. */
export interface Thumbnailer {
  /** Call it after an upload, and when the chat opens. */
  wake(): void
  stop(): void
  /** Resolves when everything due is done. */
  settled(): Promise<void>
}

export const thumbnailerOf = defineService<Thumbnailer>('thumbnailer')

/** @param show - called when the thumbnails are made, or can't be, to change the messages that wait for them */
export function startThumbnailer(chat: Chat, show: (chat: Chat, file_id: number) => Promise<void>): Thumbnailer {
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  const run = async () => {
    try {
      while (!stopped && leads(chat) && (await makeNext(chat, show)));
    } catch (error) {
      if (!stopped) chat.options.logger.error({ error: String(error) }, 'creating a thumbnail failed')
    }
  }
  return {
    wake() {
      running = running.then(run)
    },
    settled: () => running,
    stop() {
      stopped = true
    },
  }
}

const firstDue = statement((db, _: object) =>
  db.selectFrom('file').selectAll().where('thumbnail_attempts', 'is not', null).orderBy('id').limit(1),
)

/**
 * Returns whether there was an image. Each step is stored before the next begins, so that it resumes after a crash.
 */
async function makeNext(chat: Chat, show: (chat: Chat, file_id: number) => Promise<void>): Promise<boolean> {
  const [due] = await firstDue(storeOf(chat).db, {})
  if (!due) return false
  const context = contextOf(chat)
  const set = (values: Updateable<FileTable>) =>
    context.write(({ db }) =>
      db.updateTable('file').set(values).where('id', '=', due.id).returningAll().executeTakeFirst(),
    )
  const attempts = due.thumbnail_attempts!
  if (due.has_thumbnail === 0 && attempts < MAX_ATTEMPTS) {
    await set({ thumbnail_attempts: attempts + 1 })
    const copies = await makeCopies(context, due)
    if (copies) await context.write((tx) => store(tx, due.id, copies))
    else await set({ thumbnail_attempts: MAX_ATTEMPTS })
  }
  // New messages no longer wait, so only the existing ones must change.
  await show(chat, due.id)
  await set({ thumbnail_attempts: null })
  return true
}

async function makeCopies(
  context: Context,
  { blob_id, width, height, frames, content_type }: StoredFile,
): Promise<Map<string, Uint8Array> | undefined> {
  const picture = { width: width!, height: height!, frames: frames! }
  return withImageFile(context, blob_id, async (path) => {
    const copies = new Map<string, Uint8Array>()
    for (const format of formatsFor(picture.frames, content_type)) {
      const bytes = await makeThumbnail(path, picture, format)
      if (!bytes) return undefined
      copies.set(format.name, bytes)
    }
    return copies
  })
}

async function store(tx: SystemTx, file_id: number, copies: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const { db, chat } = tx
  const kept = await db
    .updateTable('file')
    .set({ has_thumbnail: 1 })
    .where('id', '=', file_id)
    .returning('id')
    .executeTakeFirst()
  // It may have been deleted since.
  if (!kept) return
  for (const [format, bytes] of copies) {
    const blob_id = await insertBlob(db, bytes, 'image/webp', seconds(chat.clock))
    await db.insertInto('thumbnail').values({ file_id, format, blob_id }).execute()
  }
}
