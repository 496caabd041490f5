import { isUnset } from '../../storage/index.ts'
import { onBehalfOf, type Tx } from '../context.ts'
import { findUsers } from '../users/access.ts'
import { markRead } from './mark-read.ts'
import { readAllOf } from './read-ranges.ts'
import { unreadOf } from './unread-list.ts'

/** Above this number of people, what each has not read is not looked at one by one: a write must end soon. */
export const MAX_ONE_BY_ONE = 200

/** Who leaves a stream has nothing unread in it, also when they come back. */
export async function readOnLeaving(tx: Tx, stream_id: number, user_ids: readonly number[]): Promise<void> {
  if (user_ids.length > MAX_ONE_BY_ONE) return readAllOf(tx, user_ids, [stream_id])
  const users = await findUsers(tx, user_ids)
  for (const user of users.values()) {
    const own = onBehalfOf(tx, user)
    await markRead(own, await unreadOf(own, stream_id))
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
