import { isUnset } from '../../storage/index.ts'
import { chunked } from '../base/lists.ts'
import { type Caller, onBehalfOf, type Tx } from '../context.ts'
import { isWriting, whileMore } from '../slices.ts'
import type { User } from '../user.ts'
import { findUsers } from '../users/access.ts'
import { markRead } from './mark-read.ts'
import { readAllOf } from './read-ranges.ts'
import { READ_SLICE, readSlice } from './read-slice.ts'
import { unreadOf } from './unread-list.ts'

/** Above this number of people, what each has not read is not looked at one by one: a write must end soon. */
export const MAX_ONE_BY_ONE = 200

/**
 * Who leaves streams has nothing unread in them, also when they come back.
 *
 * @param user_ids who leaves all of these streams
 */
export async function readOnLeaving(
  tx: Tx,
  conversation_ids: readonly number[],
  user_ids: readonly number[],
): Promise<void> {
  if (user_ids.length > MAX_ONE_BY_ONE) return readAllOf(tx, user_ids, conversation_ids)
  const users = await findUsers(tx, user_ids)
  for (const user of users.values()) {
    const own = onBehalfOf(tx, user)
    await markRead(own, await unreadOf(own, { conversation_ids }))
  }
}

/** The same for much, ahead of leaving: what is left then is at most one slice for each. */
export async function readBeforeLeaving(
  caller: Caller,
  conversation_ids: readonly number[],
  users: readonly User[],
): Promise<void> {
  if (isWriting(caller) || users.length > MAX_ONE_BY_ONE) return
  for (const user of users) {
    for (const some of chunked(conversation_ids)) {
      const wanted = { conversation_ids: some }
      await whileMore(caller, (tx) => readSlice(onBehalfOf(tx, user), wanted, READ_SLICE))
    }
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
