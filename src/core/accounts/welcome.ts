import { onBehalfOf, type Tx } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'
import { silentMention } from '../messages/notices/words.ts'
import { sendDirect, sendToTopic } from '../messages/send/insert.ts'
import { settingsOf } from '../settings/organization.ts'
import { asSystemBot, welcomeBot } from '../users/system-bot.ts'

/** Some clients cannot start on an empty home view, so every account starts with something to read. */
export async function sendWelcome(tx: Tx, user: User): Promise<void> {
  const { name } = await settingsOf(tx)
  const content = `Hello, and welcome to ${name}! This is a direct message. You can write to people like this, or in a stream, where every message has a topic.`
  await sendDirect(onBehalfOf(tx, await welcomeBot.get(tx)), [user], content)
}

/** Posts a notice of the new account in the stream the organization has chosen for it. */
export async function announceAccount(tx: Tx, user: User): Promise<void> {
  const { signup_announcements_stream_id: stream_id } = await settingsOf(tx)
  if (stream_id === -1) return
  // A silent mention: the new user needs no notification of it.
  const content = `${silentMention(user)} joined this organization.`
  await sendToTopic(await asSystemBot(tx), stream_id, 'signups', content)
}
