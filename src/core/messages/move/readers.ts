import { type VisibleMessages, visibleMessagesOf } from '../../access/visible-messages.ts'
import type { Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import type { Move } from './move-details.ts'

/**
 * Who could see the messages before the move, among those affected by it: subscribers of both streams, and the
 * senders.
 */
export async function viewersBeforeMove(tx: Tx, move: Move): Promise<VisibleMessages> {
  const { from, to, moved } = move
  if (from.stream.id === to.stream.id) return new Map()
  const { idsIn } = dialectOf(tx.chat)
  const ids = moved.map((message) => message.id)
  const rows = await tx.db
    .selectFrom('subscription')
    .select('user_id')
    .where('stream_id', 'in', idsIn([from.stream.id, to.stream.id]))
    .where('is_active', '=', 1)
    .union((eb) => eb.selectFrom('message_flag').select('user_id').where('message_id', 'in', idsIn(ids)))
    .union((eb) => eb.selectFrom('message').select('sender_id as user_id').where('id', 'in', idsIn(ids)))
    .execute()
  return visibleMessagesOf(
    tx,
    from.stream,
    rows.map((row) => row.user_id),
    ids,
  )
}
