import { onBehalfOf, type Tx } from '../context.ts'
import { sendDirect, sendToTopic } from '../messages/send/insert.ts'
import { settingsOf } from '../settings/organization.ts'
import type { User } from '../user.ts'
import { systemBot } from '../users/system-bot.ts'

/** Some clients cannot start on an empty home view, so every account has something to read from its first moment. */
export async function sendWelcome(tx: Tx, user: User): Promise<void> {
  const { name } = await settingsOf(tx)
  const content = `Hello, and welcome to ${name}! This is a direct message. You can write to people like this, or in a stream, where every message has a topic.`
  await sendDirect(onBehalfOf(tx, await systemBot.get(tx)), [user], content)
}

/** Tells of the new account where the organization wants it told. */
export async function announceAccount(tx: Tx, user: User): Promise<void> {
  const { signup_announcements_stream_id: stream_id } = await settingsOf(tx)
  if (stream_id === -1) return
  // Silent: whoever has just come need not be told.
  const content = `@_**${user.full_name}|${user.id}** joined this organization.`
  await sendToTopic(onBehalfOf(tx, await systemBot.get(tx)), stream_id, 'signups', content)
}
