import { sql } from 'kysely'
import { addressKey } from '../../storage/index.ts'
import { dropQueues } from '../events/log/end-queues.ts'
import { recordPruned } from '../events/log/event-ids.ts'
import { headOfLog } from '../events/log/log.ts'
import { pruneRoleChanges } from '../events/log/role-changes.ts'
import { removeFile } from '../files/attachments.ts'
import { removeDroppedBlobs } from '../files/dropped-blobs.ts'
import { abandonUpload } from '../files/unfinished.ts'
import { recordAct } from '../kernel/audit.ts'
import { type Caller, contextOf, type SystemTx, type Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { isBot } from '../kernel/roles.ts'
import { inSlices, isWriting, whileMore } from '../kernel/slices.ts'
import { type User, userColumns } from '../kernel/user.ts'
import { forgetAddress } from '../mail/outbox.ts'
import { removeMessages } from '../messages/edit/delete.ts'
import { forgetUserSettings } from '../settings/user.ts'
import { allAlertWords } from '../users/alerted.ts'
import { changeUser, people } from '../users/people.ts'
import { copiesSince, removeArchives } from './copies.ts'
import { type Copy, DELETED_NAME, deleteMessagesOf, deleteProfile, type Erasing, everyMessage } from './erase.ts'
import { forgetInAudit } from './forget-in-audit.ts'
import { forgetInImports } from './forget-in-imports.ts'
import { accessManagedUser } from './managed-user.ts'
import { ownTableNames, ownTables } from './own-tables.ts'
import { renameMentions } from './rename-mentions.ts'
import { deactivate } from './set-active.ts'

export interface Erased {
  user_id: number
  /** How many of the server's own archives were deleted, because they have the person's data. */
  exports: number
  /** Files that still have it. */
  copies: Copy[]
}

/** Messages deleted in one write. */
const NOTES = 200
const messageKinds = Object.keys(everyMessage) as (keyof typeof everyMessage)[]

/**
 * Erases a person and their bots: name, address, picture, profile, keys, sessions, drafts and settings, and their name in other
 * people's mentions. Their messages stay under another name, or go too. All clients register again, because the event log is
 * emptied. It can be repeated after a crash.
 *
 * @param messages which of their messages go; with all of them, their files and their part in polls go, too
 * @throws ChatError like a deactivation, for bots and the caller, and while an export is in progress
 */
export async function eraseAccount(caller: Caller, user_id: number, messages: Erasing): Promise<Erased> {
  const kinds = messageKinds.filter((kind) => messages[kind])
  const isEverything = kinds.length === messageKinds.length
  const { all, exports, date_joined } = await caller.write(async (tx) => {
    const user = await accessManagedUser(tx, user_id)
    if (isBot(user)) throw badRequest('Bots are erased with their owner')
    const bots = await tx.db.selectFrom('user').select(userColumns).where('bot_owner_id', '=', user_id).execute()
    if (user.is_active) await deactivate(tx, user)
    if (user.id === tx.user.id) throw badRequest("You can't erase your own account. Ask another owner.")
    // First, because a failure of a bot would send a notice with its name.
    for (const { id } of bots) await forgetBot(tx, id)
    const after = { messages: isEverything ? 'all' : kinds.join(', ') || 'none' }
    await recordAct(tx, { action: 'eraseUser', subject_kind: 'user', subject_id: user_id, after })
    return { all: [user, ...bots], exports: await removeArchives(tx), date_joined: user.date_joined }
  })
  for (const one of all) {
    await renameMentions(caller, one, { id: one.id, full_name: DELETED_NAME })
    await whileMore(caller, (tx) => deleteNotes(tx, one.id))
    await deleteMessagesOf(caller, one.id, messages)
    await removeArchived(caller, one.id, messages)
    await whileMore(caller, (tx) => removeSomeFiles(tx, one.id, isEverything))
    await caller.write(async (tx) => {
      if (isEverything) await tx.db.deleteFrom('submessage').where('sender_id', '=', one.id).execute()
      await forget(tx, one)
    })
  }
  await caller.write(emptyLog)
  if (!isWriting(caller)) await removeDroppedBlobs(contextOf(caller.chat))
  return { user_id, exports, copies: await copiesSince(caller, date_joined) }
}

async function forgetBot(tx: Tx, bot_id: number): Promise<void> {
  for (const table of ['incoming_delivery', 'outgoing_delivery', 'bot_command', 'bot_notice', 'feed'] as const)
    await sql`delete from ${sql.table(table)} where bot_id = ${bot_id}`.execute(tx.db)
}

/** Takes away everything in an account's row, and the rows that mean nothing without it. */
async function forget(tx: Tx, user: User): Promise<void> {
  await deleteProfile(tx, user)
  const address = `deleted-user-${user.id}@erased.invalid`
  await changeUser(tx, user.id, {
    email: address,
    delivery_email: address,
    email_key: addressKey(address),
    timezone: '',
    password_hash: null,
    first_password_at: null,
    email_verified_at: null,
  })
  const uploads = await tx.db.selectFrom('upload').select(['id', 'blob_id']).where('owner_id', '=', user.id).execute()
  for (const upload of uploads) await abandonUpload(tx, upload)
  for (const table of ownTableNames)
    await sql`delete from ${sql.table(table)} where ${sql.ref(ownTables[table])} = ${user.id}`.execute(tx.db)
  await tx.db.deleteFrom('muted_user').where('muted_user_id', '=', user.id).execute()
  await tx.db
    .deleteFrom('invitation')
    .where((eb) => eb.or([eb('inviter_id', '=', user.id), eb('email_key', '=', addressKey(user.delivery_email))]))
    .execute()
  await forgetAddress(tx, user.delivery_email)
  await tx.db
    .updateTable('bot')
    .set({ token: null, payload_url: null, config_data: '{}' })
    .where('user_id', '=', user.id)
    .execute()
  await forgetInImports(tx, user)
  await forgetInAudit(tx, user)
  forgetUserSettings(tx, user.id)
  people.invalidate(tx)
  allAlertWords.invalidate(tx)
}

/** Deletes some messages that nobody else can read: notes to oneself, and notices of the server. Returns whether there were any. */
async function deleteNotes(tx: Tx, user_id: number): Promise<boolean> {
  const { db } = tx
  const [place] = await db
    .selectFrom('direct_participant as own')
    .innerJoin('message', 'message.conversation_id', 'own.conversation_id')
    .select('own.conversation_id as id')
    .where('own.user_id', '=', user_id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('direct_participant as other')
            .innerJoin('user', 'user.id', 'other.user_id')
            .select('other.user_id')
            .whereRef('other.conversation_id', '=', 'own.conversation_id')
            .where('other.user_id', '!=', user_id)
            .where('user.is_system_bot', '=', 0),
        ),
      ),
    )
    .limit(1)
    .execute()
  if (!place) return false
  const messages = await db
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', place.id)
    .orderBy('id')
    .limit(NOTES)
    .execute()
  await removeMessages(tx, messages)
  return true
}

/** Deletes messages of these kinds that the retention policy deleted, and that could still be restored. */
async function removeArchived(caller: Caller, user_id: number, messages: Erasing): Promise<void> {
  const { rows } = await sql<{ id: number; rows: string; invite_only: number | null }>`
    select message_id as id, rows, invite_only
    from archived_message left join stream on stream.id = archived_message.conversation_id
    where rows like ${`%"sender_id":${user_id},%`}`.execute(caller.db)
  const ids = rows.flatMap((row) => {
    const { message } = JSON.parse(row.rows) as { message: { sender_id: number } }
    const wanted =
      row.invite_only === null
        ? messages.delete_direct_messages
        : row.invite_only === 1
          ? messages.delete_private_channel_messages
          : messages.delete_public_channel_messages
    return wanted && message.sender_id === user_id ? [row.id] : []
  })
  await inSlices(caller, ids, 200, async (tx, slice) => {
    for (const id of slice) await tx.db.deleteFrom('archived_message').where('message_id', '=', id).execute()
  })
}

/** Removes a few files: all of them, or those that no message shows. Returns whether there may be more. */
async function removeSomeFiles(tx: Tx, owner_id: number, all: boolean): Promise<boolean> {
  let query = tx.db.selectFrom('file').selectAll().where('owner_id', '=', owner_id).limit(20)
  if (!all)
    query = query.where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('message_file').select('message_file.file_id').whereRef('message_file.file_id', '=', 'file.id'),
        ),
      ),
    )
  const files = await query.execute()
  for (const file of files) await removeFile(tx, file)
  return files.length > 0
}

/** Removes all events but the newest, which keeps the log's position, and has all clients register again. */
async function emptyLog(tx: SystemTx): Promise<void> {
  const queues = await tx.db.selectFrom('queue').select('id').execute()
  await dropQueues(
    tx,
    queues.map((queue) => queue.id),
  )
  const last = (await headOfLog(tx.db)) - 1
  await tx.db.deleteFrom('event').where('id', '<=', last).execute()
  await pruneRoleChanges(tx, last)
  await recordPruned(tx, last)
  // Bytes that nothing refers to are kept for downloads in progress, but not these.
  await tx.db.updateTable('dropped_blob').set({ dropped_at: 0 }).execute()
}
