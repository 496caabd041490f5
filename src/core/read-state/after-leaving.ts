import { isUnset } from '../../storage/columns.ts'
import { as, type Tx } from '../context.ts'
import type { Stream } from '../streams/access.ts'
import { findUsers } from '../users/access.ts'
import { markRead } from './mark-read.ts'
import { sightOf } from '../messages/move/readers.ts'
import { readWhole } from './read-ranges.ts'
import { isUnreadBy } from './conditions.ts'
import { unreadOf } from './unread-list.ts'

/** Above this number of people, what each has not read is not looked at one by one: a write must end soon. */
const MAX_ONE_BY_ONE = 200

/** Who leaves a stream has nothing unread in it, also when they come back. */
export async function readOnLeaving(tx: Tx, stream_id: number, user_ids: readonly number[]): Promise<void> {
  if (user_ids.length > MAX_ONE_BY_ONE) return readWhole(tx, user_ids, [stream_id])
  const users = await findUsers(tx, user_ids)
  for (const user of users.values()) {
    const own = as(tx, user)
    await markRead(own, await unreadOf(own, stream_id))
  }
}

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
  const sight = to.history_public_to_subscribers ? undefined : await sightOf(tx, to, user_ids, message_ids)
  const users = await findUsers(tx, user_ids)
  for (const user of users.values()) {
    const seen = new Set(sight?.get(user.id))
    const lost = message_ids.filter((id) => !seen.has(id))
    const unread = await tx.db
      .selectFrom('message')
      .select(['id', 'sender_id', 'conversation_id', 'origin_id'])
      .where('id', 'in', tx.chat.store.dialect.idsIn(lost))
      .where((eb) => isUnreadBy(eb, user.id))
      .orderBy('id')
      .execute()
    await markRead(as(tx, user), unread)
  }
}

/** Nobody reads on in an archived stream; what others sent no longer counts, and what one sent oneself neither. */
export async function readOnArchiving(tx: Tx, stream_id: number): Promise<void> {
  await tx.db
    .updateTable('message')
    .set({ read_by_sender: 1 })
    .where('read_by_sender', '=', isUnset)
    .where('conversation_id', '=', stream_id)
    .execute()
}
