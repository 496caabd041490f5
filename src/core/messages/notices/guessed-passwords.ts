import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import { storeOf } from '../../kernel/store.ts'
import { findUser, type User } from '../../kernel/user.ts'
import { findUserByEmail } from '../../users/access.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { prepare } from '../send/prepare.ts'
import { ownersOf, sendNotices } from './direct.ts'
import { silentMention } from './words.ts'

/** Notifies an account and the owners that somebody is guessing the account's password. Does nothing for unknown accounts. */
export async function notifyOfGuesses(chat: Chat, email: string, guesses: number): Promise<void> {
  const account = await findUserByEmail(storeOf(chat).db, email)
  const about = `${guesses} wrong passwords were tried within half an hour, from addresses that the account hasn't signed in from`
  await notify(
    chat,
    account,
    `Someone may be guessing your password: ${about}. Make sure that your password is long and used nowhere else.`,
    (name) => `Someone may be guessing the password of ${name}: ${about}.`,
  )
}

/** Notifies an account and the owners of guesses at the account's second factor. They come with the right password. */
export async function notifyOfCodes(chat: Chat, user_id: number, wrong: number): Promise<void> {
  const account = await findUser(storeOf(chat).db, user_id)
  const about = `${wrong} wrong codes were tried on devices that the account hasn't signed in from`
  await notify(
    chat,
    account,
    `Someone knows your password and may be guessing your second factor: ${about}. If it wasn't you, change your password.`,
    (name) => `Someone knows the password of ${name} and may be guessing the second factor: ${about}.`,
  )
}

async function notify(
  chat: Chat,
  account: User | undefined,
  text: string,
  textForOwners: (name: string) => string,
): Promise<void> {
  if (!account?.is_active || account.bot_type !== null) return
  const bot = await asSystemBot(contextOf(chat))
  const own = await prepare(bot, text)
  const others = await prepare(bot, textForOwners(silentMention(account)))
  const owners = (await ownersOf(bot)).filter((owner) => owner.id !== account.id)
  await sendNotices(bot, [{ user: account, prepared: own }, ...owners.map((user) => ({ user, prepared: others }))])
}
