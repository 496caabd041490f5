/** A name and an address. */
export interface Mailbox {
  name: string
  address: string
}

/** An email to one person. */
export interface Mail {
  from: Mailbox
  to: Mailbox
  /** Where it comes back to if it can't be delivered; by default the sender. */
  returnTo?: string
  /** Without angle brackets. */
  messageId: string
  date: Date
  subject: string
  text: string
  html: string
  /** Other headers. */
  headers: Readonly<Record<string, string>>
}

/**
 * Hands an email to the mail server. Returns the server's reply.
 *
 * @throws MailFailed
 */
export type SendMail = (mail: Mail) => Promise<string>
