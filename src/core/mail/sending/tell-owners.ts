import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import { ownersOf, sendNotices } from '../../messages/notices/direct.ts'
import { prepare } from '../../messages/send/prepare.ts'
import { asSystemBot } from '../../users/system-bot.ts'

const HOUR = 3600
/** Failures in an hour that owners hear of. A list of wrong addresses would flood them. */
const MAX_NOTICES = 10

/** Notifies the owners that an email was rejected for good. */
export async function tellOwners(chat: Chat, address: string, failure: string, isSuppressed: boolean): Promise<void> {
  const bot = await asSystemBot(contextOf(chat))
  const { count } = await bot.db
    .selectFrom('mail')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('state', '=', 'failed')
    .where('ended_at', '>', seconds(chat.clock) - HOUR)
    .executeTakeFirstOrThrow()
  if (Number(count) > MAX_NOTICES) return
  const effect = isSuppressed ? ' No more emails are sent to this address.' : ''
  const text = `An email to ${code(address)} could not be delivered: ${code(failure)}.${effect} \`chat-server mail list\` shows failed emails, and \`chat-server mail retry\` sends one again.`
  const prepared = await prepare(bot, text)
  const owners = await ownersOf(bot)
  await sendNotices(
    bot,
    owners.map((user) => ({ user, prepared })),
  )
}

/** As code, so that text from elsewhere mentions nobody and has no links. */
const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``
