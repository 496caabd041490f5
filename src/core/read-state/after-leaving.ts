import { isUnset } from '../../storage/index.ts'
import { chunked } from '../kernel/base/lists.ts'
import { type Caller, onBehalfOf, type Tx } from '../kernel/context.ts'
import { isWriting, whileMore } from '../kernel/slices.ts'
import type { User } from '../kernel/user.ts'
import { findUsers } from '../users/access.ts'
import { markRead } from './mark-messages.ts'
import { readAllOf } from './read-ranges.ts'
import { READ_SLICE, readSlice } from './read-slice.ts'
import { unreadOf } from './unread-list.ts'

/** With more users, unread messages aren't looked up for each, so that the write is short. */
export const MAX_ONE_BY_ONE = 200

/**
 * Marks everything as read for users who leave streams, so that nothing is unread when they return.
 *
 * @param user_ids - users who leave all of these streams
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

/**
 * Marks most messages as read before the write in which users leave, which is left with at most one slice per stream.
 */
export async function readBeforeLeaving(
  caller: Caller,
  conversation_ids: readonly number[],
  users: readonly User[],
): Promise<void> {
  if (isWriting(caller) || users.length > MAX_ONE_BY_ONE) return
  for (const user of users) {
    for (const some of chunked(conversation_ids)) {
      const filter = { conversation_ids: some }
      await whileMore(caller, (tx) => readSlice(onBehalfOf(tx, user), filter, READ_SLICE))
    }
  }
}

/** Marks everything in an archived stream as read for all users, including their own messages. */
export async function readOnArchiving(tx: Tx, stream_id: number): Promise<void> {
  await tx.db
    .updateTable('message')
    .set({ read_by_sender: 1 })
    .where('read_by_sender', '=', isUnset)
    .where('conversation_id', '=', stream_id)
    .execute()
}
