import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { prepare } from '../send/prepare.ts'
import { ownersOf, sendNotices } from './direct.ts'

/** Notifies the owners that the server's disk is almost full. */
export async function sayDiskIsLow(chat: Chat, freeMib: number): Promise<void> {
  const bot = await asSystemBot(contextOf(chat))
  const owners = await ownersOf(bot)
  const text = `The server is running out of disk space: ${freeMib} MiB are free. Files can't be uploaded, exported or backed up until there is more. When less than ${chat.options.reserveMib / 4} MiB are free, messages can't be sent either. Deleting always works.`
  const prepared = await prepare(bot, text)
  await sendNotices(
    bot,
    owners.map((user) => ({ user, prepared })),
  )
}
