import type { ImapFlowError } from 'imapflow'
import type { ImapServer } from './imap-server.ts'
import { withPort } from './mail-server.ts'

/** A mailbox can't be read now. The message is one sentence for operators, without the password. */
export class MailboxFailed extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'MailboxFailed'
  }
}

const MAX_REPLY = 300

/** Explains an error of imapflow. */
export function explainImap(error: ImapFlowError, server: ImapServer): MailboxFailed {
  const where = `the mail server ${withPort(server)}`
  const { code = '', response, responseText = typeof response === 'string' ? response : '' } = error
  const reply = responseText === '' ? '' : `: ${safe(responseText, server)}`
  const failed = (reason: string) => new MailboxFailed(reason)
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return failed(`The name of the mail server ${server.host} could not be resolved (DNS)`)
  if (error.authenticationFailed) return failed(`${upper(where)} rejected the login${reply}`)
  if (error.tlsFailed || /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code))
    return failed(`No secure connection to ${where} (TLS): ${safe(error.message, server)}`)
  if (error.mailboxMissing) return failed(`${upper(where)} has no mailbox ${safe(server.mailbox, server)}`)
  if (/^E[A-Z]+$|^(?:CONNECT|GREETING)_TIMEOUT$/.test(code))
    return failed(`${upper(where)} could not be reached: ${code}`)
  if (code === 'NoConnection' || code === 'EConnectionClosed') return failed(`${upper(where)} closed the connection`)
  return failed(`${upper(where)} failed${reply || `: ${safe(error.message, server)}`}`)
}

const upper = (text: string): string => text.replace(/^t/, 'T')

/** Returns a text of the server on one line. A server may repeat what it was sent, so the password is removed. */
function safe(text: string, { user, password }: ImapServer): string {
  const encoded = [`\0${user}\0${password}`, password].map((each) => Buffer.from(each).toString('base64'))
  // A command quotes it.
  const quoted = password.replace(/["\\]/g, '\\$&')
  return [...encoded, quoted, password]
    .map(onOneLine)
    .filter((secret) => secret !== '')
    .reduce((hidden, secret) => hidden.replaceAll(secret, '…'), onOneLine(text))
    .slice(0, MAX_REPLY)
}

const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
