import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import { findUserByEmail } from '../../users/access.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { prepare } from '../send/prepare.ts'
import { ownersOf, sendNotices } from './direct.ts'
import { silentMention } from './words.ts'

/** Notifies an account and the owners that somebody is guessing the account's password. Does nothing for unknown accounts. */
export async function notifyOfGuesses(chat: Chat, email: string, guesses: number): Promise<void> {
  const bot = await asSystemBot(contextOf(chat))
  const account = await findUserByEmail(bot.db, email)
  if (!account?.is_active || account.bot_type !== null) return
  const about = `${guesses} wrong passwords were tried within half an hour, from addresses that the account hasn't signed in from`
  const own = await prepare(
    bot,
    `Someone may be guessing your password: ${about}. Make sure that your password is long and used nowhere else.`,
  )
  const others = await prepare(bot, `Someone may be guessing the password of ${silentMention(account)}: ${about}.`)
  const owners = (await ownersOf(bot)).filter((owner) => owner.id !== account.id)
  await sendNotices(bot, [{ user: account, prepared: own }, ...owners.map((user) => ({ user, prepared: others }))])
}
