import type { Selectable } from 'kysely'
import type { ScheduledMessageTable } from '../../../storage/index.ts'
import { participantsOf } from '../../access/messages.ts'
import { only } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import type { Caller, SystemTx, Tx } from '../../kernel/context.ts'
import { servedHtml } from '../../kernel/public-url.ts'
import type { ScheduledMessageView } from '../../shapes/message.ts'

type Scheduled = Selectable<ScheduledMessageTable>

/** A scheduled message as its sender sees it. */
async function scheduledView({ chat, db }: Pick<Caller, 'chat' | 'db'>, row: Scheduled): Promise<ScheduledMessageView> {
  const people = row.topic === null ? await participantsOf(db, row.conversation_id) : []
  const others = people.filter((id) => id !== row.sender_id)
  return {
    scheduled_message_id: row.id,
    ...(row.topic === null
      ? { type: 'private' as const, to: others.length > 0 ? others : people }
      : { type: 'stream' as const, to: row.conversation_id, topic: row.topic }),
    content: row.content,
    rendered_content: servedHtml(chat, row.rendered_content),
    scheduled_delivery_timestamp: row.deliver_at,
    failed: row.failed === 1,
  }
}

/** The caller's scheduled messages, in the order in which they are due. */
export async function scheduledMessagesOf(caller: Caller) {
  const rows = await caller.db
    .selectFrom('scheduled_message')
    .selectAll()
    .where('sender_id', '=', caller.user.id)
    .orderBy('deliver_at')
    .orderBy('id')
    .execute()
  return Promise.all(rows.map((row) => scheduledView(caller, row)))
}

export async function emitScheduled(tx: Tx, row: Scheduled): Promise<void> {
  const scheduled_messages = [await scheduledView(tx, row)]
  await emit(tx, { type: 'scheduled_messages', op: 'add', scheduled_messages }, only(row.sender_id))
}

export async function emitScheduledUpdated(tx: SystemTx, row: Scheduled): Promise<void> {
  const scheduled_message = await scheduledView(tx, row)
  await emit(tx, { type: 'scheduled_messages', op: 'update', scheduled_message }, only(row.sender_id))
}

export async function emitScheduledDelivered(
  tx: Tx,
  { id, sender_id }: Pick<Scheduled, 'id' | 'sender_id'>,
): Promise<void> {
  await emit(tx, { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id }, only(sender_id))
}
