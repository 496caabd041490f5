import { after, type Soon } from '../../../storage/index.ts'
import type { Message } from '../../access/messages.ts'
import { onBehalfOf, type Tx } from '../../kernel/context.ts'
import { marksOf } from '../../read-state/mark-messages.ts'
import { addRead } from '../../read-state/read-ranges.ts'
import { findUsers } from '../../users/access.ts'
import { usersMuting } from '../../users/muted-users.ts'
import { readersAmong } from './mentions.ts'
import type { Recipient } from './recipient.ts'

/** Marks a new message as read for recipients who have muted its sender, or are listed. Returns their ids. */
export const readAtOnce = (
  tx: Tx,
  message: Message,
  recipient: Recipient,
  named: readonly number[] = [],
): Soon<readonly number[]> =>
  after(usersMuting.get(tx, tx.user.id), (muting) =>
    muting.length + named.length === 0 ? muting : markRead(tx, message, recipient, [...new Set([...muting, ...named])]),
  )

async function markRead(
  tx: Tx,
  message: Message,
  recipient: Recipient,
  user_ids: number[],
): Promise<readonly number[]> {
  const readers = await readersAmong(tx, recipient, user_ids)
  for (const reader of (await findUsers(tx, readers)).values()) {
    const own = onBehalfOf(tx, reader)
    await addRead(own, marksOf(own, [message]))
  }
  return readers
}
