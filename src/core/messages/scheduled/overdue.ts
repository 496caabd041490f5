import { isUnset } from '../../../storage/index.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { findUser } from '../../kernel/user.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { sendDirect } from '../send/post-message.ts'
import { emitScheduledUpdated } from '../send/scheduled-view.ts'

/** Marks a scheduled message as failed, and notifies its sender of the reason. */
export async function markFailed(tx: SystemTx, id: number, failure_message: string): Promise<void> {
  const failed = await tx.db
    .updateTable('scheduled_message')
    .set({ failed: 1, failure_message })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!failed) return
  await emitScheduledUpdated(tx, failed)
  const sender = await findUser(tx.db, failed.sender_id)
  if (!sender?.is_active || sender.bot_type !== null) return
  const at = new Date(failed.deliver_at * 1000).toISOString()
  const content = `A message you scheduled for <time:${at}> was not sent:\n\n> ${failure_message}\n\nIt is kept among [your scheduled messages](#scheduled), where you can choose another time.`
  await sendDirect(await asSystemBot(tx), [sender], content)
}

/** Messages marked in one write. */
const SLICE = 200

/** Marks messages that were due between two times, in seconds. Returns whether there may be more. */
export async function failSlice(
  tx: SystemTx,
  { from, before }: { from: number; before: number },
  reason: string,
): Promise<boolean> {
  const due = await tx.db
    .selectFrom('scheduled_message')
    .select('id')
    .where('failed', '=', isUnset)
    .where('deliver_at', '>=', from)
    .where('deliver_at', '<', before)
    .orderBy('deliver_at')
    .orderBy('id')
    .limit(SLICE)
    .execute()
  for (const { id } of due) await markFailed(tx, id, reason)
  return due.length === SLICE
}
