import { seconds } from '../../kernel/base/clock.ts'
import type { Caller } from '../../kernel/context.ts'
import { findUser } from '../../kernel/user.ts'
import { sendPrepared } from '../../messages/send/post-message.ts'
import { prepare } from '../../messages/send/prepare.ts'
import { asSystemBot } from '../../users/system-bot.ts'

/** Seconds between two notices about a bot. */
const PAUSE_SECONDS = 3600

/** Notifies the owner of a bot in a direct message, at most once an hour. */
export async function tellOwner(bot: Caller, text: string): Promise<void> {
  const { id, full_name, bot_owner_id } = bot.user
  const owner = bot_owner_id === null ? undefined : await findUser(bot.db, bot_owner_id)
  if (!owner?.is_active) return
  const prepared = await prepare(await asSystemBot(bot), `Your bot @_**${full_name}|${id}** has a problem. ${text}`)
  await bot.write(async (tx) => {
    const now = seconds(tx.chat.clock)
    const last = await tx.db.selectFrom('bot_notice').select('sent_at').where('bot_id', '=', id).executeTakeFirst()
    if (last && last.sent_at > now - PAUSE_SECONDS) return
    await tx.db
      .insertInto('bot_notice')
      .values({ bot_id: id, sent_at: now })
      .onConflict((oc) => oc.column('bot_id').doUpdateSet({ sent_at: now }))
      .execute()
    await sendPrepared(await asSystemBot(tx), [owner], prepared)
  })
}
