import type { Selectable } from 'kysely'
import type { ReportTable } from '../../storage/index.ts'
import { type Message, participantsOf } from '../access/messages.ts'
import { topicNameOf } from '../access/topics.ts'
import { emit } from '../events/log/emit.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Tx } from '../kernel/context.ts'
import { roles } from '../kernel/roles.ts'
import { secretsOf } from '../kernel/secrets.ts'
import { findUser } from '../kernel/user.ts'

export type Report = Selectable<ReportTable>

/** Where a message was when it was reported. */
export type ReportedPlace = { stream_id: number; topic: string } | { user_ids: readonly number[] }

/**
 * Puts a report into the moderators' queue. Reports of the same message are one entry, with the text as it was first
 * reported: its author may have edited it since. An entry that was closed opens again, with the current text.
 */
export async function enqueueReport(
  tx: Tx,
  message: Message,
  { type, description }: { type: string; description: string },
): Promise<void> {
  const { db } = tx
  const at = seconds(tx.chat.clock)
  const known = await db.selectFrom('report').selectAll().where('message_id', '=', message.id).executeTakeFirst()
  const begun = {
    place: JSON.stringify(await placeOf(tx, message)),
    content: secretsOf(tx.chat).seal(message.content),
    state: 'open',
    taken_by: null,
    decision: '',
    closed_at: null,
  }
  let id = known?.id
  if (!known) {
    const { id: message_id, sender_id: author_id, sent_at } = message
    const row = { message_id, author_id, sent_at, reported_at: at, ...begun }
    id = (await db.insertInto('report').values(row).returning('id').executeTakeFirstOrThrow()).id
  } else {
    const changed = known.state === 'closed' ? begun : {}
    await db
      .updateTable('report')
      .set({ reported_at: at, ...changed })
      .where('id', '=', known.id)
      .execute()
  }
  const reason = { type, description, at }
  await db
    .insertInto('report_reason')
    .values({ report_id: id!, user_id: tx.user.id, ...reason })
    .onConflict((oc) => oc.columns(['report_id', 'user_id']).doUpdateSet(reason))
    .execute()
  await emitReport(tx, { id: id!, author_id: message.sender_id, state: known?.state === 'taken' ? 'taken' : 'open' })
}

async function placeOf({ db }: Tx, { conversation_id, topic_id }: Message): Promise<ReportedPlace> {
  if (topic_id === null) return { user_ids: await participantsOf(db, conversation_id) }
  return { stream_id: conversation_id, topic: await topicNameOf(db, topic_id) }
}

/** Announces a new or changed report to the moderators, except the author of the message. */
export async function emitReport(
  tx: Tx,
  { id: report_id, author_id, state }: Pick<Report, 'id' | 'author_id' | 'state'>,
): Promise<void> {
  const author = await findUser(tx.db, author_id)
  const except = [author_id, author?.bot_owner_id].filter((id) => id != null)
  await emit(tx, { type: 'report', report_id, state: state as 'open' }, { role: roles.moderator, except })
}
