/** What parse-mail-worker.js returns about an email. Texts are decoded. */
export interface ParsedMail {
  /** Names in lower case, in the order of the email. */
  headers: [name: string, value: string][]
  /** Addresses of all `From` headers. */
  from: { name: string; address: string }[]
  subject: string
  /** Without angle brackets; empty if missing. */
  messageId: string
  /** Names the email if it has no Message-ID. */
  digest: string
  /** Message-IDs that it answers, the direct one first. */
  answers: string[]
  /** The text part; empty if there is none. */
  text: string
  /** The HTML part as Markdown; empty if there is none. */
  fromHtml: string
  files: ParsedFile[]
  /** What a delivery status notification says of its recipients. */
  statuses: DeliveryStatus[]
  /** Files beyond the limit. */
  filesLeftOut: number
}

/** What became of an email for one recipient (RFC 3464). */
export interface DeliveryStatus {
  /** In lower case, such as `failed` or `delayed`. */
  action: string
  /** Such as `5.1.1`. */
  status: string
  diagnostic: string
}

export interface ParsedFile {
  name: string
  type: string
  content: Uint8Array
}

export interface ParseQuestion {
  raw: Uint8Array
}
