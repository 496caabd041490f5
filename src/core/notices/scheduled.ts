import { isoTime } from '../base/times.ts'
import type { SystemTx } from '../context.ts'
import { sendDirect } from '../messages/send/insert.ts'
import type { User } from '../user.ts'
import { asSystemBot } from '../users/system-bot.ts'

/** Says to somebody that a message they scheduled could not be sent, and why. */
export async function saySendingFailed(
  tx: SystemTx,
  sender: User,
  { deliver_at, failure_message }: { deliver_at: number; failure_message: string | null },
): Promise<void> {
  const when = `<time:${isoTime(deliver_at)}>`
  const content = `The message you scheduled for ${when} was not sent because of the following error:\n\n> ${failure_message}\n\n[View scheduled messages](#scheduled)`
  await sendDirect(await asSystemBot(tx), [sender], content)
}
