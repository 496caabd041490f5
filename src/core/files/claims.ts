import { readableFiles, type StoredFile } from '../access/files.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { SystemTx, Tx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { emitAttachments } from './attachment-view.ts'

/** Records that a new message refers to these files, which its sender may read. */
export async function claimFiles(tx: SystemTx, message_id: number, files: readonly StoredFile[]): Promise<void> {
  if (files.length === 0) return
  await addReferences(tx, message_id, files)
  await emitAttachments(tx, 'update', files)
}

/** How an edit changes the files that a message refers to. */
export interface ClaimChange {
  /** All files that it now refers to. */
  files: readonly StoredFile[]
  added: readonly StoredFile[]
  removed: readonly StoredFile[]
}

/**
 * Returns the files that an edited message with these paths will refer to. Files of the old text stay, even if the
 * editor has lost access to them.
 */
export async function planClaims(tx: Tx, message_id: number, paths: readonly string[]): Promise<ClaimChange> {
  const before = await filesOf(tx, [message_id])
  const kept = before.filter((file) => paths.includes(file.path))
  const added = await readableFiles(
    tx,
    paths.filter((path) => !kept.some((file) => file.path === path)),
  )
  const removed = before.filter((file) => !kept.includes(file))
  return { files: [...kept, ...added], added, removed }
}

/** Applies the plan. Returns the editor's own files that messages no longer refer to. */
export async function changeClaims(tx: Tx, message_id: number, change: ClaimChange): Promise<StoredFile[]> {
  const { added, removed } = change
  if (added.length + removed.length === 0) return []
  const { idsIn } = dialectOf(tx.chat)
  if (added.length > 0) await addReferences(tx, message_id, added)
  if (removed.length > 0) {
    await tx.db
      .deleteFrom('message_file')
      .where('message_id', '=', message_id)
      .where('file_id', 'in', idsIn(removed.map((file) => file.id)))
      .execute()
  }
  const unused = await markUnused(tx, removed)
  await emitAttachments(tx, 'update', [...added, ...removed])
  return unused.filter((file) => file.owner_id === tx.user.id)
}

/** Returns the files that these messages refer to. */
export async function filesOf({ db, chat }: SystemTx, message_ids: readonly number[]): Promise<StoredFile[]> {
  const { idsIn } = dialectOf(chat)
  return db
    .selectFrom('file')
    .selectAll()
    .where('id', 'in', (eb) =>
      eb.selectFrom('message_file').select('file_id').where('message_id', 'in', idsIn(message_ids)),
    )
    .orderBy('id')
    .execute()
}

/** Call it with the files of deleted messages. Their owners are notified, and unused ones are deleted later. */
export async function releaseFiles(tx: SystemTx, files: readonly StoredFile[]): Promise<void> {
  if (files.length === 0) return
  await markUnused(tx, files)
  await emitAttachments(tx, 'update', files)
}

async function addReferences(tx: SystemTx, message_id: number, files: readonly StoredFile[]): Promise<void> {
  await tx.db
    .insertInto('message_file')
    .values(files.map(({ id: file_id }) => ({ message_id, file_id })))
    .execute()
  const ids = files.map((file) => file.id)
  await tx.db
    .updateTable('file')
    .set({ unused_since: null })
    .where('id', 'in', dialectOf(tx.chat).idsIn(ids))
    .where('unused_since', 'is not', null)
    .execute()
}

/** Marks the files that no message refers to, and returns them. */
function markUnused({ db, chat }: SystemTx, files: readonly StoredFile[]): Promise<StoredFile[]> {
  const ids = files.map((file) => file.id)
  return db
    .updateTable('file')
    .set({ unused_since: seconds(chat.clock) })
    .where('id', 'in', dialectOf(chat).idsIn(ids))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('message_file').select('message_file.file_id').whereRef('message_file.file_id', '=', 'file.id'),
        ),
      ),
    )
    .returningAll()
    .execute()
}
