import type { Clock } from '../kernel/base/clock.ts'
import { type Random, randomText } from '../kernel/base/random.ts'
import { rendered } from './letter.ts'
import type { MailService } from './mail-service.ts'

/**
 * Sends a test email. Returns the mail server's reply.
 *
 * @throws MailFailed with a sentence that says which step failed
 */
export function sendTestMail(
  { from, send }: MailService,
  to: string,
  { publicUrl, clock, random }: { publicUrl: string; clock: Clock; random: Random },
): Promise<string> {
  const letter = rendered({
    subject: 'Test email',
    parts: [{ text: 'Your chat server can send email.' }, { button: 'Open the chat', url: `${publicUrl}/` }],
  })
  const messageId = `test.${randomText(random, 20)}@${new URL(publicUrl).hostname}`
  const headers = { 'auto-submitted': 'auto-generated' }
  return send({ from, to: { name: '', address: to }, messageId, date: new Date(clock.now()), ...letter, headers })
}
