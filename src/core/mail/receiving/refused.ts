/** A reply that rejects an email while the mail server delivers it. */
export class MailRefused extends Error {
  /** Of SMTP. From 500 on, the other side doesn't try again. */
  readonly responseCode: number
  /** Of RFC 3463. */
  readonly status: string
  constructor(responseCode: number, status: string, reason: string) {
    super(reason)
    this.name = 'MailRefused'
    this.responseCode = responseCode
    this.status = status
  }

  get isTemporary(): boolean {
    return this.responseCode < 500
  }
}
