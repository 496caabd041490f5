import { visibleMessagesOf } from '../../access/visible-messages.ts'
import { onBehalfOf, type Tx } from '../../context.ts'
import { MAX_ONE_BY_ONE } from '../../read-state/after-leaving.ts'
import { isUnreadBy } from '../../read-state/conditions.ts'
import { markRead } from '../../read-state/mark-read.ts'
import { dialectOf } from '../../store.ts'
import type { Stream } from '../../streams/access.ts'
import { findUsers } from '../../users/access.ts'

/** What was moved where somebody is not, or where they cannot see it, they need not read, also when they come there. */
export async function readOnMoving(tx: Tx, from: Stream, to: Stream, message_ids: readonly number[]): Promise<void> {
  let concerned = tx.db
    .selectFrom('subscription')
    .select('user_id')
    .where('stream_id', '=', from.id)
    .where('is_active', '=', 1)
  if (to.history_public_to_subscribers) {
    concerned = concerned.where('user_id', 'not in', (eb) =>
      eb.selectFrom('subscription').select('user_id').where('stream_id', '=', to.id).where('is_active', '=', 1),
    )
  }
  const rows = await concerned.limit(MAX_ONE_BY_ONE).execute()
  const user_ids = rows.map((row) => row.user_id)
  const visible = to.history_public_to_subscribers ? undefined : await visibleMessagesOf(tx, to, user_ids, message_ids)
  const users = await findUsers(tx, user_ids)
  for (const user of users.values()) {
    const seen = new Set(visible?.get(user.id))
    const lost = message_ids.filter((id) => !seen.has(id))
    const unread = await tx.db
      .selectFrom('message')
      .select(['id', 'sender_id', 'conversation_id', 'origin_id'])
      .where('id', 'in', dialectOf(tx.chat).idsIn(lost))
      .where((eb) => isUnreadBy(eb, user.id))
      .orderBy('id')
      .execute()
    await markRead(onBehalfOf(tx, user), unread)
  }
}
