import type { Selectable } from 'kysely'
import type { FeedTable } from '../../../storage/index.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Caller, callerOf, contextOf } from '../../kernel/context.ts'
import { accountDeactivated } from '../../kernel/errors.ts'
import { findUser } from '../../kernel/user.ts'

export type Feed = Selectable<FeedTable>

/** Returns the bot that announces a feed, as a caller. Throws USER_DEACTIVATED. */
export async function botOf(chat: Chat, bot_id: number): Promise<Caller> {
  const bot = await findUser(contextOf(chat).db, bot_id)
  if (!bot?.is_active) throw accountDeactivated()
  return callerOf(chat, bot, { client: 'feeds' })
}
