import type { Clock } from '../kernel/base/clock.ts'
import { type Random, randomText } from '../kernel/base/random.ts'
import { rendered } from './letter.ts'
import type { MailService } from './mail-service.ts'
import type { Reader } from './reader.ts'

/**
 * Sends a test email. Returns the mail server's reply.
 *
 * @throws MailFailed with a sentence that says which step failed
 */
export function sendTestMail(
  { from, send }: MailService,
  to: string,
  { publicUrl, clock, random, reader }: { publicUrl: string; clock: Clock; random: Random; reader: Reader },
): Promise<string> {
  const { test, common } = reader.texts
  const parts = [{ text: test.works }, { button: common.openChat, url: `${publicUrl}/` }]
  const letter = rendered({ subject: test.subject, parts }, reader)
  const messageId = `test.${randomText(random, 20)}@${new URL(publicUrl).hostname}`
  const headers = { 'auto-submitted': 'auto-generated', 'content-language': reader.tag }
  return send({ from, to: { name: '', address: to }, messageId, date: new Date(clock.now()), ...letter, headers })
}
