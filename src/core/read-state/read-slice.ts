import type { Tx } from '../kernel/context.ts'
import { markRead } from './mark-messages.ts'
import { conversationsWithUnread } from './unread-conversations.ts'
import { type UnreadFilter, unreadOf } from './unread-list.ts'

/** Messages marked as read in one write. */
export const READ_SLICE = 2000

/**
 * Marks up to READ_SLICE unread messages as read for the writer. Returns whether there may be more.
 *
 * @param keep - number of messages that may be left unread
 */
export async function readSlice(tx: Tx, filter: UnreadFilter, keep = 0): Promise<boolean> {
  const unread = await unreadOf(tx, { ...filter, limit: READ_SLICE + keep })
  await markRead(tx, unread.slice(keep))
  return unread.length === READ_SLICE + keep
}

/** Marks messages of one sender as read, wherever they are. */
export const readFromUser = async (tx: Tx, sender_id: number): Promise<boolean> =>
  readSlice(tx, { conversation_ids: await conversationsWithUnread(tx), sender_id })
