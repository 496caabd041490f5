import { seconds } from '../kernel/base/clock.ts'
import type { SystemTx } from '../kernel/context.ts'
import { findUser } from '../kernel/user.ts'
import { silentMention } from '../messages/notices/words.ts'
import { sendDirect } from '../messages/send/post-message.ts'
import { asSystemBot } from '../users/system-bot.ts'

/** The owner of a bot is notified of the same problem once in this time. */
const QUIET_SECONDS = 3600

/** What the owner of a bot is notified of. */
export type Problem = 'loop' | 'waiting' | 'given-up' | 'no-channel' | 'feed'

/**
 * Notifies the owner of a bot of a problem, in a direct message.
 *
 * @param words - returns the message; its parameter mentions the bot
 */
export async function notifyOwner(
  tx: SystemTx,
  bot_id: number,
  problem: Problem,
  words: (bot: string) => string,
): Promise<void> {
  const now = seconds(tx.chat.clock)
  const last = await tx.db
    .selectFrom('bot_notice')
    .select('sent_at')
    .where('bot_id', '=', bot_id)
    .where('problem', '=', problem)
    .executeTakeFirst()
  if (last && last.sent_at > now - QUIET_SECONDS) return
  await tx.db
    .insertInto('bot_notice')
    .values({ bot_id, problem, sent_at: now })
    .onConflict((oc) => oc.columns(['bot_id', 'problem']).doUpdateSet({ sent_at: now }))
    .execute()
  const bot = await findUser(tx.db, bot_id)
  const owner = bot?.bot_owner_id == null ? undefined : await findUser(tx.db, bot.bot_owner_id)
  if (!bot || !owner?.is_active) return
  await sendDirect(await asSystemBot(tx), [owner], words(silentMention(bot)))
}
