import { type MailServer, nameOfServer } from './mail-server.ts'

/** The step at which sending failed. */
export type MailStep = 'dns' | 'connection' | 'tls' | 'login' | 'sender' | 'recipient' | 'content'

/** A mail that was not accepted, with a sentence that says why. */
export class MailFailed extends Error {
  readonly step: MailStep
  /** Whether the server rejected this mail for good. Otherwise another attempt may succeed. */
  readonly permanent: boolean
  /** The server's reply, if it gave one. */
  readonly reply: string | undefined
  constructor(
    message: string,
    step: MailStep,
    { permanent = false, reply }: { permanent?: boolean; reply?: string } = {},
  ) {
    super(message)
    this.name = 'MailFailed'
    this.step = step
    this.permanent = permanent
    this.reply = reply
  }

  /** Whether the mail server is at fault instead of the mail, so that other mails would fail too. */
  get isOfServer(): boolean {
    return this.step !== 'recipient' && this.step !== 'content'
  }
}

/** Members of the errors of nodemailer. */
interface NodemailerError extends Error {
  code?: string
  originalCode?: string
  command?: string
  response?: string
  responseCode?: number
}

const MAX_REPLY = 300

/** Returns a server's reply on one line. */
const inOneLine = (reply: string): string => reply.replace(/\s+/g, ' ').trim().slice(0, MAX_REPLY)

export const unresolved = (host: string): MailFailed =>
  new MailFailed(`The name of the mail server ${host} could not be resolved (DNS)`, 'dns')

/** Explains an error of nodemailer. */
export function explain(error: NodemailerError, server: MailServer): MailFailed {
  if (error instanceof MailFailed) return error
  const { code = '', originalCode = '', command = '', response, responseCode = 0 } = error
  const where = nameOfServer(server)
  const reply = response === undefined ? undefined : inOneLine(response)
  const answered = reply === undefined ? '' : `: ${reply}`
  const detail = inOneLine(error.message)
  const permanent = responseCode >= 500
  if (server.kind === 'sendmail') return new MailFailed(`${where} failed: ${detail}`, 'connection')
  if (code === 'EDNS' || ['ENOTFOUND', 'EAI_AGAIN'].includes(originalCode)) return unresolved(server.host)
  if (code === 'ETLS' || /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(originalCode)) {
    return new MailFailed(`No secure connection to the mail server ${where} (TLS): ${detail}`, 'tls')
  }
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    return new MailFailed(`The mail server ${where} rejected the login${answered || `: ${detail}`}`, 'login')
  }
  const of = { permanent, ...(reply !== undefined && { reply }) }
  if (command === 'MAIL FROM')
    return new MailFailed(`The mail server ${where} rejected the sender${answered}`, 'sender', of)
  if (command === 'RCPT TO') {
    return new MailFailed(`The mail server ${where} rejected the recipient${answered}`, 'recipient', of)
  }
  if (command === 'DATA') return new MailFailed(`The mail server ${where} rejected the email${answered}`, 'content', of)
  return new MailFailed(`The mail server ${where} could not be reached: ${originalCode || detail}`, 'connection')
}
