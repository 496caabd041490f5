import type { MailOptions } from '../src/core/kernel/chat.ts'
import { parseDkim } from '../src/network/mail/dkim.ts'

interface Given {
  mailUrl?: string
  mailFrom?: string
  mailDkim?: string
  mailRate?: string
}

/**
 * Reads the options for email that goes out.
 *
 * @throws Error with a sentence
 */
export const mailOptions = ({ mailUrl, mailFrom = '', mailDkim, mailRate }: Given): MailOptions => ({
  from: mailFrom,
  ...(mailUrl && { url: mailUrl }),
  ...(mailDkim && { dkim: parseDkim(mailDkim) }),
  ...(mailRate && { rate: parseRate(mailRate) }),
})

/** Parses a number of emails and of seconds, such as `60/60`. */
function parseRate(text: string): { emails: number; seconds: number } {
  const [, emails, seconds] = /^(\d{1,6})\/(\d{1,5})$/.exec(text.trim()) ?? []
  if (!Number(emails) || !Number(seconds) || Number(seconds) > 86_400)
    throw new Error('--mail-rate must have the form EMAILS/SECONDS, such as 60/60, with at most 86400 seconds')
  return { emails: Number(emails), seconds: Number(seconds) }
}
