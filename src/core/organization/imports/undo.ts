import { sql } from 'kysely'
import { groupGraph } from '../../access/group-graph.ts'
import { systemCaller } from '../../accounts/create-organization.ts'
import { periodsOfUser } from '../../events/log/audience.ts'
import { dropBlob } from '../../files/dropped-blobs.ts'
import { changeSpaceUsed } from '../../files/space.ts'
import { abandonUpload } from '../../files/unfinished.ts'
import { storedGroups } from '../../groups/stored.ts'
import { recordAct } from '../../kernel/audit.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Caller, invalidateUser, type Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { inSlices, whileMore } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import { keepFirstMessage } from '../../messages/send/first-message.ts'
import { invalidateTopic } from '../../messages/send/topics.ts'
import { unindexMessages } from '../../narrow/search/text.ts'
import { invalidateStream, mutedStreams } from '../../streams/stored.ts'
import { recountSubscribers } from '../../streams/subscriber-count.ts'
import { allAlertWords } from '../../users/alerted.ts'
import { people } from '../../users/people.ts'
import { forgetCustomEmoji } from '../emoji/custom-emoji.ts'
import { linkifiersOf } from '../linkifiers/stored.ts'
import { restartClients } from './finish.ts'
import type { ImportRow } from './journal.ts'
import { obstacles } from './obstacles.ts'
import { countIfActive } from './write-places.ts'

const MESSAGES = 100
const OBJECTS = 100

interface Brought {
  source_id: string
  object_id: number
}

/**
 * Removes everything that an import created, and nothing else. It resumes when it is called again after a crash.
 *
 * @throws ChatError BAD_REQUEST if people have used it since, with the reasons
 */
export async function undoImport(chat: Chat, id: number, progress: (text: string) => void = () => {}) {
  const caller = await systemCaller(chat)
  const row = await caller.db.selectFrom('import').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw badRequest(`Import ${id} does not exist`)
  if (row.undone_at !== null) throw badRequest(`Import ${id} was already undone`)
  const found = await obstacles(caller, row)
  if (found.length > 0) throw badRequest(`Import ${id} can't be undone: ${found.join(', ')}`)

  let removed = 0
  await whileMore(caller, async (tx) => {
    const count = await removeMessages(tx, row)
    removed += count
    if (removed % 10_000 < count) progress(`${removed} messages removed`)
    return count > 0
  })
  await eachBrought(caller, row, 'topic', removeTopics)
  await eachBrought(caller, row, 'subscription', (tx, rows) => removeSubscriptions(tx, row, rows))
  await whileMore(caller, (tx) => removeReadState(tx, row))
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
  await eachBrought(caller, row, 'user', removeUsers)
  await eachBrought(caller, row, 'profile_field', async (tx, rows) => {
    await removeRows(tx, 'profile_field', rows)
    people.invalidate(tx)
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
  await caller.write(async (tx) => {
    await tx.db.deleteFrom('import_object').where('import_id', '=', id).execute()
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

/** Removes everything of a kind that the import created, with its rows of the journal, some at a time. */
async function eachBrought(
  caller: Caller,
  { id }: ImportRow,
  kind: string,
  remove: (tx: Tx, rows: readonly Brought[]) => Promise<void>,
): Promise<void> {
  await whileMore(caller, async (tx) => {
    const rows = await tx.db
      .selectFrom('import_object')
      .select(['source_id', 'object_id'])
      .where('import_id', '=', id)
      .where('kind', '=', kind)
      .where('is_new', '=', 1)
      .limit(OBJECTS)
      .execute()
    if (rows.length === 0) return false
    await remove(tx, rows)
    await tx.db
      .deleteFrom('import_object')
      .where('import_id', '=', id)
      .where('kind', '=', kind)
      .where('source_id', 'in', dialectOf(tx.chat).textsIn(rows.map((row) => row.source_id)))
      .execute()
    return true
  })
}

const idsOf = (tx: Tx, rows: readonly Brought[]) => dialectOf(tx.chat).idsIn(rows.map((row) => row.object_id))

async function removeMessages(tx: Tx, row: ImportRow): Promise<number> {
  const found = await tx.db
    .selectFrom('message')
    .select('id')
    .where('id', '>=', row.first_message_id)
    .where('id', '<=', row.last_message_id)
    .orderBy('id')
    .limit(MESSAGES)
    .execute()
  const ids = found.map((message) => message.id)
  if (ids.length === 0) return 0
  const list = dialectOf(tx.chat).idsIn(ids)
  await unindexMessages(tx, ids)
  // Edits, flags, reactions and similar rows are deleted with their message.
  await tx.db.deleteFrom('message').where('id', 'in', list).execute()
  await tx.db
    .deleteFrom('import_object')
    .where('import_id', '=', row.id)
    .where('kind', '=', 'message')
    .where('object_id', 'in', list)
    .execute()
  return ids.length
}

async function removeTopics(tx: Tx, rows: readonly Brought[]): Promise<void> {
  for (const { object_id, source_id } of rows) {
    const isUsed = await tx.db
      .selectFrom('message')
      .select('id')
      .where('topic_id', '=', object_id)
      .limit(1)
      .executeTakeFirst()
    if (isUsed) continue
    const [stream = '', ...key] = source_id.split('\n')
    await tx.db.deleteFrom('topic').where('id', '=', object_id).execute()
    invalidateTopic(tx, Number(stream), key.join('\n'))
  }
}

async function removeSubscriptions(
  tx: Tx,
  { id, first_message_id }: ImportRow,
  rows: readonly Brought[],
): Promise<void> {
  for (const { source_id, object_id: user_id } of rows) {
    const [channel = ''] = source_id.split('\n')
    const stream = await tx.db
      .selectFrom('import_object')
      .select('object_id')
      .where('import_id', '=', id)
      .where('kind', '=', 'channel')
      .where('source_id', '=', channel)
      .executeTakeFirst()
    if (!stream) continue
    const stream_id = stream.object_id
    await countIfActive(tx, user_id, stream_id, -1)
    await tx.db.deleteFrom('subscription').where('user_id', '=', user_id).where('stream_id', '=', stream_id).execute()
    await tx.db
      .deleteFrom('subscription_period')
      .where('user_id', '=', user_id)
      .where('stream_id', '=', stream_id)
      .where('from_message_id', '>=', first_message_id)
      .execute()
    periodsOfUser.invalidate(tx, user_id)
    mutedStreams.invalidate(tx, user_id)
  }
}

/** Removes the read state of the import's messages. Ranges keep their other messages. */
async function removeReadState(tx: Tx, { first_message_id, last_message_id }: ImportRow): Promise<boolean> {
  const [first, last] = [first_message_id!, last_message_id!]
  const rows = await tx.db
    .selectFrom('read_range')
    .selectAll()
    .where('lo', '<=', last)
    .where('hi', '>=', first)
    .limit(OBJECTS)
    .execute()
  for (const { user_id, conversation_id, lo, hi } of rows) {
    const here = { user_id, conversation_id }
    await tx.db
      .deleteFrom('read_range')
      .where('user_id', '=', user_id)
      .where('conversation_id', '=', conversation_id)
      .where('lo', '=', lo)
      .execute()
    if (lo < first)
      await tx.db
        .insertInto('read_range')
        .values({ ...here, lo, hi: first - 1 })
        .execute()
    if (hi > last)
      await tx.db
        .insertInto('read_range')
        .values({ ...here, lo: last + 1, hi })
        .execute()
  }
  return rows.length > 0
}

async function removeConversations(tx: Tx, rows: readonly Brought[]): Promise<void> {
  const ids = idsOf(tx, rows)
  await tx.db.deleteFrom('read_range').where('conversation_id', 'in', ids).execute()
  await tx.db.deleteFrom('direct_participant').where('conversation_id', 'in', ids).execute()
  await tx.db.deleteFrom('conversation').where('id', 'in', ids).execute()
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
  table: 'draft' | 'saved_snippet' | 'linkifier' | 'profile_field',
  rows: readonly Brought[],
): Promise<void> {
  await sql`delete from ${sql.table(table)} where id in ${idsOf(tx, rows)}`.execute(tx.db)
}

async function removeChannels(tx: Tx, rows: readonly Brought[]): Promise<void> {
  const ids = idsOf(tx, rows)
  for (const table of ['user_topic', 'default_stream', 'subscription', 'topic'] as const)
    await sql`delete from ${sql.table(table)} where stream_id in ${ids}`.execute(tx.db)
  await tx.db.deleteFrom('read_range').where('conversation_id', 'in', ids).execute()
  await tx.db.deleteFrom('stream').where('id', 'in', ids).execute()
  await tx.db.deleteFrom('conversation').where('id', 'in', ids).execute()
  for (const { object_id } of rows) invalidateStream(tx, object_id)
}

async function removeGroups(tx: Tx, rows: readonly Brought[]): Promise<void> {
  const ids = idsOf(tx, rows)
  await tx.db.deleteFrom('user_group_member').where('group_id', 'in', ids).execute()
  await tx.db
    .deleteFrom('user_group_subgroup')
    .where((eb) => eb.or([eb('group_id', 'in', ids), eb('subgroup_id', 'in', ids)]))
    .execute()
  await tx.db.deleteFrom('user_group').where('id', 'in', ids).execute()
  groupGraph.invalidate(tx)
  storedGroups.invalidate(tx)
}

/** Tables with rows of one person, which `obstacles` found to be the import's or of no consequence. */
const personal = [
  'mail_candidate',
  'mail',
  'password_link',
  'role_change',
  'user_setting',
  'alert_word',
  'muted_user',
  'user_status',
  'presence',
  'profile_value',
  'user_group_member',
  'user_topic',
  'read_range',
  'onboarding_step',
  'subscription_period',
  'subscription',
] as const

async function removeUsers(tx: Tx, rows: readonly Brought[]): Promise<void> {
  const ids = idsOf(tx, rows)
  const users = await tx.db
    .selectFrom('user')
    .select(['avatar_blob_id', 'avatar_medium_blob_id'])
    .where('id', 'in', ids)
    .execute()
  // A file that was being imported when the import was cut off.
  const uploads = await tx.db.selectFrom('upload').select(['id', 'blob_id']).where('owner_id', 'in', ids).execute()
  for (const upload of uploads) await abandonUpload(tx, upload)
  for (const table of personal) await sql`delete from ${sql.table(table)} where user_id in ${ids}`.execute(tx.db)
  await tx.db.deleteFrom('muted_user').where('muted_user_id', 'in', ids).execute()
  await tx.db.deleteFrom('user').where('id', 'in', ids).execute()
  for (const user of users)
    for (const blob of [user.avatar_blob_id, user.avatar_medium_blob_id])
      if (blob !== null) await dropBlob(tx, blob, 'read')
  for (const { object_id } of rows) invalidateUser(tx, object_id)
  people.invalidate(tx)
  allAlertWords.invalidate(tx)
}
