import { sql } from 'kysely'
import type { Caller, Tx } from '../../kernel/context.ts'
import { whileMore } from '../../kernel/slices.ts'
import { findConversation, participantKey } from '../../messages/send/conversations.ts'
import { joinReadState } from './read-state.ts'

/** Messages moved in one write. */
const SLICE = 500

/** Puts one account in the place of another one in its direct conversations. Conversations of the same people become one. */
export async function mergeDirectConversations(caller: Caller, from: number, into: number): Promise<void> {
  const rows = await caller.db
    .selectFrom('direct_participant')
    .select('conversation_id')
    .where('user_id', '=', from)
    .orderBy('conversation_id')
    .execute()
  for (const { conversation_id } of rows) {
    const people = await participants(caller, conversation_id)
    const target = [...new Set(people.map((id) => (id === from ? into : id)))]
    const same = await findConversation(caller, target)
    if (same === undefined) {
      await caller.write((tx) => replaceParticipant(tx, conversation_id, from, into, target))
      continue
    }
    await caller.write(async (tx) => {
      for (const user_id of target)
        await joinReadState(tx, user_id === into ? [from, into] : [user_id], user_id, conversation_id, same)
    })
    await whileMore(caller, (tx) => moveMessages(tx, conversation_id, same))
    await caller.write((tx) => removeConversation(tx, conversation_id, same))
  }
}

const participants = async ({ db }: Pick<Caller, 'db'>, conversation_id: number): Promise<number[]> =>
  (
    await db.selectFrom('direct_participant').select('user_id').where('conversation_id', '=', conversation_id).execute()
  ).map(({ user_id }) => user_id)

async function replaceParticipant(
  { db }: Tx,
  id: number,
  from: number,
  into: number,
  target: readonly number[],
): Promise<void> {
  await db
    .updateTable('conversation')
    .set({ participant_key: participantKey(target) })
    .where('id', '=', id)
    .execute()
  await db
    .deleteFrom('direct_participant')
    .where('conversation_id', '=', id)
    .where('user_id', 'in', [from, into])
    .execute()
  await db.insertInto('direct_participant').values({ user_id: into, conversation_id: id }).execute()
}

async function moveMessages({ db }: Tx, from: number, into: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('message')
    .set({ conversation_id: into })
    .where('id', 'in', (eb) => eb.selectFrom('message').select('id').where('conversation_id', '=', from).limit(SLICE))
    .executeTakeFirst()
  return numUpdatedRows > 0
}

async function removeConversation({ db }: Tx, id: number, into: number): Promise<void> {
  for (const table of [
    'scheduled_message',
    'held_message',
    'archived_message',
    'mail_candidate',
    'reply_address',
  ] as const)
    await sql`update ${sql.table(table)} set conversation_id = ${into} where conversation_id = ${id}`.execute(db)
  await db
    .updateTable('import_object')
    .set({ object_id: into, is_new: 0 })
    .where('kind', '=', 'conversation')
    .where('object_id', '=', id)
    .execute()
  await db.deleteFrom('read_range').where('conversation_id', '=', id).execute()
  await db.deleteFrom('direct_participant').where('conversation_id', '=', id).execute()
  await db.deleteFrom('conversation').where('id', '=', id).execute()
}
