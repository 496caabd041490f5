import { sql } from 'kysely'
import { addressKey } from '../../storage/index.ts'
import { dropQueues } from '../events/log/end-queues.ts'
import { recordPruned } from '../events/log/event-ids.ts'
import { headOfLog } from '../events/log/log.ts'
import { pruneRoleChanges } from '../events/log/role-changes.ts'
import { removeFile } from '../files/attachments.ts'
import { abandonUpload } from '../files/unfinished.ts'
import type { Caller, SystemTx, Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { isBot } from '../kernel/roles.ts'
import { inSlices, whileMore } from '../kernel/slices.ts'
import { type User, userColumns } from '../kernel/user.ts'
import { forgetAddress } from '../mail/outbox.ts'
import { reindexMessage } from '../narrow/search/text.ts'
import { forgetUserSettings } from '../settings/user.ts'
import { allAlertWords } from '../users/alerted.ts'
import { changeUser, people } from '../users/people.ts'
import { deactivate } from './deactivate.ts'
import { DELETED_NAME, deleteMessagesOf, deleteProfile } from './erase.ts'
import { forgetInAudit } from './forget-in-audit.ts'
import { accessManagedUser } from './managed-user.ts'
import { ownTableNames, ownTables } from './own-tables.ts'

/**
 * Erases a person and their bots: name, address, picture, profile, keys, sessions, drafts and settings, and their name in other
 * people's mentions. Their messages stay under another name, or go too. All clients register again, because the event log is emptied.
 *
 * @param options.messages whether their messages and files go, too
 * @throws ChatError like a deactivation
 */
export async function eraseAccount(
  caller: Caller,
  user_id: number,
  { messages }: { messages: boolean },
): Promise<void> {
  const all = await caller.write(async (tx) => {
    const user = await accessManagedUser(tx, user_id)
    if (isBot(user)) throw badRequest('Bots are erased with their owner')
    const bots = await tx.db.selectFrom('user').select(userColumns).where('bot_owner_id', '=', user_id).execute()
    if (user.is_active) await deactivate(tx, user)
    return [user, ...bots]
  })
  for (const one of all) {
    const ids = async (table: 'message' | 'message_edit') => {
      const html = table === 'message' ? 'rendered_content' : 'prev_rendered_content'
      const mark = `%data-user-id="${one.id}"%`
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.table(table)} where ${sql.ref(html)} like ${mark} order by id`.execute(caller.db)
      return rows.map((row) => row.id)
    }
    await inSlices(caller, await ids('message'), 50, (tx, slice) => renameInMessages(tx, one, slice))
    await inSlices(caller, await ids('message_edit'), 50, (tx, slice) => renameInEdits(tx, one, slice))
    if (messages) {
      const kinds = { delete_public_channel_messages: true, delete_private_channel_messages: true }
      await deleteMessagesOf(caller, one.id, { ...kinds, delete_direct_messages: true })
      await whileMore(caller, (tx) => removeSomeFiles(tx, one.id))
    }
    await caller.write((tx) => forget(tx, one))
  }
  await caller.write(emptyLog)
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
  await tx.db.deleteFrom('incoming_delivery').where('bot_id', '=', user.id).execute()
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

/** Imports keep the names of stubs, the pairs of their map file, and the ids that people had in the source. */
async function forgetInImports(tx: Tx, { id, full_name, delivery_email }: User): Promise<void> {
  await tx.db
    .updateTable('import_object')
    .set({ source_id: `erased-${id}` })
    .where('kind', '=', 'user')
    .where('object_id', '=', id)
    .execute()
  const names = [full_name, delivery_email].map((name) => JSON.stringify(name))
  for (const { id: import_id, options, report } of await tx.db.selectFrom('import').selectAll().execute()) {
    const without = (text: string) => names.reduce((all, name) => all.replaceAll(name, '"Deleted user"'), text)
    await tx.db
      .updateTable('import')
      .set({ options: without(options), report: report === null ? null : without(report) })
      .where('id', '=', import_id)
      .execute()
  }
}

/** Returns a function that puts another name into mentions of a person, in Markdown and in HTML. */
function renaming({ id, full_name }: User) {
  const name = full_name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const typed = new RegExp(`(@_?\\*\\*)${name}(?:\\|${id})?(?=\\*\\*)`, 'gi')
  const shown = new RegExp(`(data-user-id="${id}"[^>]*>@?)[^<]*`, 'g')
  return (text: string) => text.replace(typed, `$1${DELETED_NAME}|${id}`).replace(shown, `$1${DELETED_NAME}`)
}

async function renameInMessages(tx: Tx, user: User, ids: readonly number[]): Promise<void> {
  const rename = renaming(user)
  for (const id of ids) {
    const row = await tx.db
      .selectFrom('message')
      .select(['content', 'rendered_content'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) continue
    const rendered_content = rename(row.rendered_content)
    await tx.db
      .updateTable('message')
      .set({ content: rename(row.content), rendered_content })
      .where('id', '=', id)
      .execute()
    await reindexMessage(tx, id, rendered_content)
  }
}

async function renameInEdits(tx: Tx, user: User, ids: readonly number[]): Promise<void> {
  const rename = renaming(user)
  for (const id of ids) {
    const row = await tx.db.selectFrom('message_edit').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row?.prev_content || !row.prev_rendered_content) continue
    await tx.db
      .updateTable('message_edit')
      .set({ prev_content: rename(row.prev_content), prev_rendered_content: rename(row.prev_rendered_content) })
      .where('id', '=', id)
      .execute()
  }
}

async function removeSomeFiles(tx: Tx, owner_id: number): Promise<boolean> {
  const files = await tx.db.selectFrom('file').selectAll().where('owner_id', '=', owner_id).limit(20).execute()
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
