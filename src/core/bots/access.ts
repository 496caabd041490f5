import { managesBot } from '../access/bots.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest, notPermitted } from '../kernel/errors.ts'
import { isBot } from '../kernel/roles.ts'
import { findUser, type User } from '../kernel/user.ts'

/**
 * Returns a bot that the writer may change: their own, and any for administrators, but none with more rights than they
 * have.
 *
 * @throws ChatError BAD_REQUEST "No such bot"; "Insufficient permission"
 */
export async function accessBot({ db, user }: Pick<Caller, 'db' | 'user'>, bot_id: number): Promise<User> {
  const bot = await findUser(db, bot_id)
  if (!bot || !isBot(bot) || bot.is_system_bot) throw badRequest('No such bot')
  if (!managesBot(user, bot) || bot.role < user.role) throw notPermitted()
  return bot
}
