import { sql } from 'kysely'
import { silences } from '../../access/silence.ts'
import { periodsOfUser } from '../../events/log/audience.ts'
import { dropQueues } from '../../events/log/end-queues.ts'
import { dropBlob } from '../../files/dropped-blobs.ts'
import { recordAct } from '../../kernel/audit.ts'
import { type Caller, invalidateUser, type Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { isBot } from '../../kernel/roles.ts'
import { whileMore } from '../../kernel/slices.ts'
import type { User } from '../../kernel/user.ts'
import { nextMail } from '../../mail/outbox.ts'
import { forgetUserSettings } from '../../settings/user.ts'
import { mutedStreams } from '../../streams/stored.ts'
import { recountSubscribers } from '../../streams/subscriber-count.ts'
import { allAlertWords } from '../../users/alerted.ts'
import { blockersOf } from '../../users/blocks.ts'
import { usersMuting } from '../../users/muted-users.ts'
import { changeUser } from '../../users/people.ts'
import { accessManagedUser } from '../managed-user.ts'
import { renameMentions } from '../rename-mentions.ts'
import { deactivate } from '../set-active.ts'
import { mergeDirectConversations } from './conversations.ts'
import { mergeFlags } from './flags.ts'
import { moveRows } from './move-rows.ts'
import { renameInJson } from './named-in-json.ts'
import { mergeReadState } from './read-state.ts'
import { mergeSubscriptions, recordedSubscriptions } from './subscriptions.ts'
import { mergeWidgets } from './widgets.ts'

/**
 * Merges an account that an import created into another one, with everything that is the former's, and removes it. All
 * clients register again, because no event says this. It resumes when it is called again after a crash.
 *
 * @throws ChatError BAD_REQUEST unless an import created the account, for bots, and while an import runs
 */
export async function mergeAccount(caller: Caller, user_id: number, into_id: number): Promise<void> {
  const { from, into } = await caller.write((tx) => begin(tx, user_id, into_id))
  await renameMentions(caller, from, into)
  await mergeDirectConversations(caller, from.id, into.id)
  await mergeChannels(caller, from.id, into.id)
  await whileMore(caller, (tx) => mergeFlags(tx, from.id, into.id))
  await whileMore(caller, async (tx) => {
    const next = await tx.db
      .selectFrom('submessage')
      .select('message_id')
      .where('sender_id', '=', from.id)
      .limit(1)
      .executeTakeFirst()
    if (next) await mergeWidgets(tx, from.id, into.id, next.message_id)
    return next !== undefined
  })
  await moveRows(caller, from.id, into.id)
  await renameSenders(caller, from.id, into.id)
  await caller.write((tx) => end(tx, from.id, into.id))
}

async function begin(tx: Tx, user_id: number, into_id: number): Promise<{ from: User; into: User }> {
  if (user_id === into_id) throw badRequest("An account can't be merged into itself.")
  const from = await accessManagedUser(tx, user_id)
  if (from.id === tx.user.id) throw badRequest("You can't merge your own account. Ask another owner.")
  const into = await accessManagedUser(tx, into_id)
  if (isBot(from) || isBot(into)) throw badRequest("Bots can't be merged.")
  if (!into.is_active) throw badRequest("Deactivated accounts can't take over another account.")
  const brought = await tx.db
    .selectFrom('import_object')
    .innerJoin('import', 'import.id', 'import_object.import_id')
    .select('import.finished_at')
    .where('kind', '=', 'user')
    .where('object_id', '=', user_id)
    .where('is_new', '=', 1)
    .executeTakeFirst()
  if (!brought) throw badRequest('Only accounts that an import created can be merged.')
  const running = await tx.db
    .selectFrom('import')
    .select('id')
    .where('finished_at', 'is', null)
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  if (running) throw badRequest(`Import ${running.id} isn't finished. Finish or undo it first.`)
  if (from.is_active) await deactivate(tx, from)
  await recordAct(tx, { action: 'mergeUser', subject_kind: 'user', subject_id: user_id, after: { into: into_id } })
  return { from, into }
}

/** Merges subscriptions and read state, a channel at a time. */
async function mergeChannels(caller: Caller, from: number, into: number): Promise<void> {
  const recorded = await recordedSubscriptions(caller, from)
  const { rows } = await sql<{ id: number }>`
    select stream_id as id from subscription where user_id = ${from}
    union select stream_id from subscription_period where user_id = ${from}
    union select conversation_id from read_range where user_id = ${from}`.execute(caller.db)
  for (const { id } of rows)
    await caller.write(async (tx) => {
      await mergeSubscriptions(tx, from, into, id, recorded)
      await mergeReadState(tx, from, into, id)
      await recountSubscribers(tx, [id])
      for (const user_id of [from, into]) {
        periodsOfUser.invalidate(tx, user_id)
        mutedStreams.invalidate(tx, user_id)
      }
    })
}

/** Messages that the retention policy deleted can be restored, with their reactions and flags. */
async function renameSenders(caller: Caller, from: number, into: number): Promise<void> {
  const pattern = new RegExp(`("(?:sender|user)_id":)${from}(?=[,}])`, 'g')
  await whileMore(caller, async (tx) => {
    const rows = await tx.db
      .selectFrom('archived_message')
      .select(['message_id', 'rows'])
      .where((eb) =>
        eb.or(
          ['sender', 'user'].flatMap((kind) =>
            [',', '}'].map((end) => eb('rows', 'like', `%"${kind}_id":${from}${end}%`)),
          ),
        ),
      )
      .limit(50)
      .execute()
    for (const { message_id, rows: json } of rows)
      await tx.db
        .updateTable('archived_message')
        .set({ rows: withoutDoubles(json.replace(pattern, `$1${into}`)) })
        .where('message_id', '=', message_id)
        .execute()
    return rows.length > 0
  })
}

interface Parts {
  parts: {
    reaction: { user_id: number; reaction_type: string; emoji_code: string }[]
    message_flag: { user_id: number; flags: number }[]
  }
}

/** Both accounts may have reacted to a message, or have flags of it. */
function withoutDoubles(json: string): string {
  const archived = JSON.parse(json) as Parts
  const { reaction, message_flag } = archived.parts
  const reactions = new Map(reaction.map((row) => [`${row.user_id} ${row.reaction_type} ${row.emoji_code}`, row]))
  const flags = new Map<number, (typeof message_flag)[number]>()
  for (const row of message_flag)
    flags.set(row.user_id, { ...row, flags: row.flags | (flags.get(row.user_id)?.flags ?? 0) })
  archived.parts.reaction = [...reactions.values()]
  archived.parts.message_flag = [...flags.values()]
  return JSON.stringify(archived)
}

async function end(tx: Tx, from: number, into: number): Promise<void> {
  await renameInJson(tx, from, into)
  await tx.db
    .updateTable('import_object')
    .set({ object_id: into, is_new: 0 })
    .where('kind', 'in', ['user', 'mutes'])
    .where('object_id', '=', from)
    .execute()
  await tx.db.deleteFrom('import_object').where('kind', '=', 'address').where('object_id', '=', from).execute()
  await giveAvatar(tx, from, into)
  await tx.db.deleteFrom('user').where('id', '=', from).execute()
  invalidateUser(tx, from)
  for (const user_id of [from, into]) {
    forgetUserSettings(tx, user_id)
    usersMuting.invalidate(tx, user_id)
    silences.invalidate(tx, user_id)
    blockersOf.invalidate(tx, user_id)
  }
  allAlertWords.invalidate(tx)
  nextMail.invalidate(tx)
  const queues = await tx.db.selectFrom('queue').select('id').execute()
  await dropQueues(
    tx,
    queues.map((queue) => queue.id),
  )
}

/** An account without a picture gets the one of the merged account. */
async function giveAvatar(tx: Tx, from: number, into: number): Promise<void> {
  const columns = ['id', 'avatar_source', 'avatar_version', 'avatar_blob_id', 'avatar_medium_blob_id'] as const
  const rows = await tx.db.selectFrom('user').select(columns).where('id', 'in', [from, into]).execute()
  const [theirs, own] = [rows.find(({ id }) => id === from)!, rows.find(({ id }) => id === into)!]
  const takes = own.avatar_source !== 'U' && theirs.avatar_source === 'U'
  const { avatar_blob_id, avatar_medium_blob_id } = theirs
  await changeUser(tx, from, { avatar_blob_id: null, avatar_medium_blob_id: null })
  await changeUser(tx, into, {
    avatar_version: own.avatar_version + Number(takes),
    ...(takes && { avatar_source: 'U', avatar_blob_id, avatar_medium_blob_id }),
  })
  if (takes) return
  for (const blob of [avatar_blob_id, avatar_medium_blob_id]) if (blob !== null) await dropBlob(tx, blob, 'read')
}
