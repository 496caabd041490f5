import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '../../storage/index.ts'
import { isAdministrator } from '../kernel/roles.ts'
import type { User } from '../kernel/user.ts'

/**
 * Returns whether a user manages a bot and sees it in lists of bots: its owner and administrators do. The only place
 * that decides.
 */
export const managesBot = (user: Pick<User, 'id' | 'role'>, bot: Pick<User, 'bot_owner_id'>): boolean =>
  isAdministrator(user) || bot.bot_owner_id === user.id

/** The same rule as a condition on rows of `user` that are bots. */
export const isManagedBy = (user: Pick<User, 'id' | 'role'>) => (eb: ExpressionBuilder<Tables, 'user'>) =>
  isAdministrator(user) ? eb.and([]) : eb('bot_owner_id', '=', user.id)
