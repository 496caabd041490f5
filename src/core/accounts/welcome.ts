import { onBehalfOf, type Tx } from '../context.ts'
import { sendDirect } from '../messages/send/insert.ts'
import type { User } from '../user.ts'
import { systemBot } from '../users/system-bot.ts'

/** Some clients cannot start on an empty home view, so every account has something to read from its first moment. */
export async function sendWelcome(tx: Tx, user: User): Promise<void> {
  const { name } = await tx.db.selectFrom('organization').select('name').executeTakeFirstOrThrow()
  const content = `Hello, and welcome to ${name}! This is a direct message. You can write to people like this, or in a stream, where every message has a topic.`
  await sendDirect(onBehalfOf(tx, await systemBot.get(tx)), [user], content)
}
