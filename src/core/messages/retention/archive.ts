import type { Insertable } from 'kysely'
import { fold, type Tables } from '../../../storage/index.ts'
import type { Message } from '../../access/messages.ts'
import { topicNameOf } from '../../access/topics.ts'
import { dropQueues } from '../../events/log/end-queues.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { groupBy } from '../../kernel/base/lists.ts'
import type { SystemTx, Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { indexAgain } from '../../narrow/search/text.ts'
import { keepFirstMessage } from '../send/first-message.ts'
import { topicFor } from '../send/topics.ts'

/** Tables whose rows are deleted with a message, and come back with it. */
const parts = ['message_edit', 'message_flag', 'reaction', 'submessage'] as const

/** An archived message: its row, the rows that refer to it, and the name of its topic. */
interface Archived {
  message: Message
  topic: string | null
  parts: { [T in (typeof parts)[number]]: Insertable<Tables[T]>[] }
}

/** Keeps messages that are about to be deleted, so that they can be restored. */
export async function archiveMessages(tx: SystemTx, messages: readonly Message[]): Promise<void> {
  const archived_at = seconds(tx.chat.clock)
  const ids = dialectOf(tx.chat).idsIn(messages.map((message) => message.id))
  const rowsOf = new Map<(typeof parts)[number], Map<number, unknown[]>>()
  for (const table of parts) {
    const rows = await tx.db.selectFrom(table).selectAll().where('message_id', 'in', ids).execute()
    rowsOf.set(
      table,
      groupBy(rows, (row) => row.message_id),
    )
  }
  const topics = new Map<number, string>()
  for (const { topic_id } of messages) {
    if (topic_id !== null && !topics.has(topic_id)) topics.set(topic_id, await topicNameOf(tx.db, topic_id))
  }
  for (const message of messages) {
    const { id: message_id, conversation_id, topic_id } = message
    const kept: Archived = {
      message,
      topic: topic_id === null ? null : topics.get(topic_id)!,
      parts: { message_edit: [], message_flag: [], reaction: [], submessage: [] },
    }
    for (const table of parts) Object.assign(kept.parts, { [table]: rowsOf.get(table)!.get(message_id) ?? [] })
    await tx.db
      .insertInto('archived_message')
      .values({ message_id, conversation_id, archived_at, rows: JSON.stringify(kept) })
      .execute()
  }
}

/** Messages restored, or forgotten, in one write. */
const SLICE = 200

/** Permanently deletes messages archived up to this time. Returns whether there may be more. */
export async function forgetArchived(tx: SystemTx, up_to: number): Promise<boolean> {
  const old = await tx.db
    .selectFrom('archived_message')
    .select('message_id')
    .where('archived_at', '<=', up_to)
    .limit(SLICE)
    .execute()
  const ids = old.map((row) => row.message_id)
  await tx.db.deleteFrom('archived_message').where('message_id', 'in', dialectOf(tx.chat).idsIn(ids)).execute()
  return old.length === SLICE
}

/**
 * Restores archived messages of one stream or all conversations. Returns how many. Clients start again because no
 * event can give them messages from the past.
 */
export async function restoreSlice(tx: Tx, stream_id?: number): Promise<number> {
  let query = tx.db.selectFrom('archived_message').select(['message_id', 'rows']).orderBy('message_id').limit(SLICE)
  if (stream_id !== undefined) query = query.where('conversation_id', '=', stream_id)
  const rows = await query.execute()
  const streams = new Set<number>()
  for (const row of rows) {
    const { message, topic, parts: own } = JSON.parse(row.rows) as Archived
    const topic_id = topic === null ? null : (await topicFor(tx, message.conversation_id, topic, fold(topic))).id
    await tx.db
      .insertInto('message')
      .values({ ...message, topic_id })
      .execute()
    for (const table of parts) {
      if (own[table].length === 0) continue
      // The rows of each part belong to its table, but TypeScript compares the unions of all parts and all tables.
      const rows = own[table] as never
      await tx.db.insertInto(table).values(rows).execute()
    }
    await indexAgain(tx, message.id, message.rendered_content)
    if (topic_id !== null) streams.add(message.conversation_id)
  }
  const { idsIn } = dialectOf(tx.chat)
  const ids = rows.map((row) => row.message_id)
  await tx.db.deleteFrom('archived_message').where('message_id', 'in', idsIn(ids)).execute()
  if (streams.size > 0) await keepFirstMessage(tx, [...streams])
  const queues = await tx.db.selectFrom('queue').select('id').execute()
  await dropQueues(
    tx,
    queues.map((queue) => queue.id),
  )
  return rows.length
}
