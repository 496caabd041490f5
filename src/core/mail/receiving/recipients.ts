import { readAddress } from '../incoming-address.ts'

/** Headers in which a mail server writes where it delivers an email. */
const ENVELOPE = ['x-original-to', 'delivered-to', 'x-delivered-to', 'envelope-to']
/** The sender writes these. They count if the mail server says nothing. */
const WRITTEN = ['to', 'cc']

/** The longest address. */
const MAX_ADDRESS = 320

/**
 * Returns the addresses of this server to which an email in a mailbox was delivered. A mailbox has no envelopes, so the headers
 * say it. The addresses themselves contain the permission to post, so it doesn't matter who wrote the header.
 *
 * @param headers - headers of the email, at least the ones that name recipients
 */
export function recipientsIn(headers: string, most: number): string[] {
  const lines = headers.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const named = (names: readonly string[]) => {
    const found = new Map<string, string>()
    for (const line of lines) {
      const colon = line.indexOf(':')
      if (!names.includes(line.slice(0, colon).trim().toLowerCase())) continue
      for (const address of line.slice(colon + 1).split(/[\s<>(),;:"]+/)) {
        const token = address.length <= MAX_ADDRESS && address.includes('@') && readAddress(address)?.token
        if (token && !found.has(token)) found.set(token, address)
      }
    }
    return [...found.values()].slice(0, most)
  }
  const delivered = named(ENVELOPE)
  return delivered.length > 0 ? delivered : named(WRITTEN)
}
