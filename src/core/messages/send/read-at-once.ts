import type { Message } from '../../access/messages.ts'
import { onBehalfOf, type Tx } from '../../kernel/context.ts'
import { marksOf } from '../../read-state/mark-messages.ts'
import { addRead } from '../../read-state/read-ranges.ts'
import { findUsers } from '../../users/access.ts'
import { usersMuting } from '../../users/muted-users.ts'
import { readersAmong } from './mentions.ts'
import type { Recipient } from './recipient.ts'

/** Marks a new message as read for recipients who have muted its sender, or are listed. Returns their ids. */
export async function readAtOnce(
  tx: Tx,
  message: Message,
  recipient: Recipient,
  named: readonly number[] = [],
): Promise<readonly number[]> {
  const muting = await usersMuting.get(tx, tx.user.id)
  if (muting.length + named.length === 0) return muting
  const readers = await readersAmong(tx, recipient, [...new Set([...muting, ...named])])
  for (const reader of (await findUsers(tx, readers)).values()) {
    const own = onBehalfOf(tx, reader)
    await addRead(own, marksOf(own, [message]))
  }
  return readers
}
