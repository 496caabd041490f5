import { sql } from 'kysely'
import { systemCaller } from '../../accounts/create-organization.ts'
import { dropBlob } from '../../files/dropped-blobs.ts'
import { changeSpaceUsed } from '../../files/space.ts'
import { recordAct } from '../../kernel/audit.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { inSlices } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import { keepFirstMessage } from '../../messages/send/first-message.ts'
import { unindexMessages } from '../../narrow/search/text.ts'
import { recountSubscribers } from '../../streams/subscriber-count.ts'
import { invalidatePeople } from '../../users/people.ts'
import { forgetCustomEmoji } from '../emoji/custom-emoji.ts'
import { linkifiersOf } from '../linkifiers/stored.ts'
import { type Brought, eachBrought, idsOf, inSteps, OBJECTS } from './brought.ts'
import { restartClients } from './finish.ts'
import type { ImportRow } from './journal.ts'
import { createMerger } from './merge-index.ts'
import { obstacles } from './obstacles.ts'
import { removeGroups, removeUsers } from './undo-people.ts'
import {
  removeChannels,
  removeConversations,
  removeReadState,
  removeSubscriptions,
  removeTopics,
} from './undo-places.ts'

/** Messages that the first step removes. */
const MESSAGES = 50

interface UndoOptions {
  progress?: (text: string) => void
  /** Called with the number of messages that are removed. */
  onProgress?: (removed: number) => void
  /** Stops it; it can resume. */
  signal?: AbortSignal
}

/**
 * Removes everything that an import created, and nothing else. It resumes when it is called again after a crash.
 *
 * @throws ChatError BAD_REQUEST if people have used it since, with the reasons
 */
export async function undoImport(chat: Chat, id: number, { progress, onProgress, signal }: UndoOptions = {}) {
  const caller = await systemCaller(chat)
  const row = await caller.db.selectFrom('import').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw badRequest(`Import ${id} does not exist`)
  if (row.undone_at !== null) throw badRequest(`Import ${id} was already undone`)
  const found = await obstacles(caller, row)
  if (found.length > 0) throw badRequest(`Import ${id} can't be undone: ${found.join(', ')}`)

  await eachBrought(caller, row, 'reminder', (tx, rows) => removeRows(tx, 'reminder', rows))
  await eachBrought(caller, row, 'scheduled_message', (tx, rows) => removeRows(tx, 'scheduled_message', rows))
  let removed = 0
  const merge = createMerger(caller)
  await inSteps(
    caller,
    MESSAGES,
    async (tx, size) => {
      signal?.throwIfAborted()
      return removeMessages(tx, row, size)
    },
    async (count) => {
      removed += count
      onProgress?.(removed)
      if (removed % 10_000 < count) progress?.(`${removed} messages removed`)
      await merge()
    },
  )
  await eachBrought(caller, row, 'topic', removeTopics)
  await eachBrought(caller, row, 'subscription', (tx, rows) => removeSubscriptions(tx, row, rows))
  await inSteps(caller, OBJECTS, (tx, size) => removeReadState(tx, row, size))
  await eachBrought(caller, row, 'conversation', removeConversations)
  await eachBrought(caller, row, 'file', removeFiles)
  await eachBrought(caller, row, 'emoji', removeEmoji)
  await eachBrought(caller, row, 'draft', (tx, rows) => removeRows(tx, 'draft', rows))
  await eachBrought(caller, row, 'snippet', (tx, rows) => removeRows(tx, 'saved_snippet', rows))
  await eachBrought(caller, row, 'linkifier', async (tx, rows) => {
    await removeRows(tx, 'linkifier', rows)
    linkifiersOf.invalidate(tx)
  })
  await eachBrought(caller, row, 'channel', removeChannels)
  // One at a time, because a group may be in another.
  await eachBrought(caller, row, 'group', removeGroups)
  // For each person, the database reads all reactions, which have no index of people.
  await eachBrought(caller, row, 'user', removeUsers, 1)
  await eachBrought(caller, row, 'profile_field', async (tx, rows) => {
    await removeRows(tx, 'profile_field', rows)
    invalidatePeople(tx)
  })
  const kept = await caller.db
    .selectFrom('import_object')
    .select('object_id')
    .where('import_id', '=', id)
    .where('kind', '=', 'channel')
    .execute()
  await inSlices(
    caller,
    kept.map((one) => one.object_id),
    20,
    async (tx, ids) => {
      await keepFirstMessage(tx, ids)
      await recountSubscribers(tx, ids)
    },
  )
  await inSteps(caller, OBJECTS, (tx, size) => forget(tx, id, size))
  await caller.write(async (tx) => {
    await tx.db
      .updateTable('import')
      .set({ undone_at: seconds(chat.clock) })
      .where('id', '=', id)
      .execute()
    await recordAct(tx, { action: 'undoImport', subject_kind: 'import', subject_id: id })
    await restartClients(tx)
  })
  return { import_id: id, messages: removed }
}

/** Removes rows of the journal about what was there before. */
async function forget(tx: Tx, import_id: number, most: number): Promise<number> {
  const own = tx.db.selectFrom('import_object').where('import_id', '=', import_id)
  const first = await own.select('kind').limit(1).executeTakeFirst()
  if (!first) return 0
  const rows = await own.select('source_id').where('kind', '=', first.kind).limit(most).execute()
  const { textsIn } = dialectOf(tx.chat)
  await tx.db
    .deleteFrom('import_object')
    .where('import_id', '=', import_id)
    .where('kind', '=', first.kind)
    .where('source_id', 'in', textsIn(rows.map(({ source_id }) => source_id)))
    .execute()
  return rows.length
}

async function removeMessages(tx: Tx, row: ImportRow, most: number): Promise<number> {
  const found = await tx.db
    .selectFrom('message')
    .select('id')
    .where('id', '>=', row.first_message_id)
    .where('id', '<=', row.last_message_id)
    .orderBy('id')
    .limit(most)
    .execute()
  const ids = found.map((message) => message.id)
  if (ids.length === 0) return 0
  const list = dialectOf(tx.chat).idsIn(ids)
  await unindexMessages(tx, ids)
  // Edits, flags, reactions and similar rows are deleted with their message. The journal has no index of objects, so its
  // rows follow at the end.
  await tx.db.deleteFrom('message').where('id', 'in', list).execute()
  return ids.length
}

async function removeFiles(tx: Tx, rows: readonly Brought[]): Promise<void> {
  const files = await tx.db
    .selectFrom('file')
    .select(['id', 'blob_id', 'size'])
    .where('id', 'in', idsOf(tx, rows))
    .execute()
  const small = await tx.db.selectFrom('thumbnail').select('blob_id').where('file_id', 'in', idsOf(tx, rows)).execute()
  await tx.db.deleteFrom('file').where('id', 'in', idsOf(tx, rows)).execute()
  for (const { blob_id } of [...files, ...small]) await dropBlob(tx, blob_id, 'read')
  await changeSpaceUsed(tx, -files.reduce((sum, file) => sum + file.size, 0))
}

async function removeEmoji(tx: Tx, rows: readonly Brought[]): Promise<void> {
  const emoji = await tx.db.selectFrom('custom_emoji').select('blob_id').where('id', 'in', idsOf(tx, rows)).execute()
  await tx.db.deleteFrom('custom_emoji').where('id', 'in', idsOf(tx, rows)).execute()
  for (const { blob_id } of emoji) await dropBlob(tx, blob_id, 'read')
  forgetCustomEmoji(tx)
}

async function removeRows(
  tx: Tx,
  table: 'draft' | 'saved_snippet' | 'scheduled_message' | 'reminder' | 'linkifier' | 'profile_field',
  rows: readonly Brought[],
): Promise<void> {
  await sql`delete from ${sql.table(table)} where id in ${idsOf(tx, rows)}`.execute(tx.db)
}
