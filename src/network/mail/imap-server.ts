import { isThisMachine } from '../addresses.ts'
import { hostOf, type Protection, protectionIn, userIn } from './mail-server.ts'

/** A mailbox on a mail server that gives email out by IMAP. */
export interface ImapServer extends Protection {
  protocol: 'imap'
  host: string
  port: number
  user: string
  password: string
  /** The folder that is read. */
  mailbox: string
  /** Milliseconds that a command may take; for tests. */
  timeoutMs?: number
  /** Emails in one look; for tests. */
  most?: number
}

const NAME = '--mail-in'

/** Returns whether an address is one of a mailbox, and not one to listen on. */
export const isImapUrl = (text: string): boolean => /^\s*imaps?:/i.test(text)

/**
 * Parses the address of a mailbox, such as `imaps://user:password@mail.example.com/INBOX`. Other machines must offer TLS unless
 * `?tls=none` permits plain text.
 *
 * @throws Error with a sentence that never contains the password
 */
export function parseImapUrl(text: string): ImapServer {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const host = url ? hostOf(url) : ''
  if (!url || host === '' || !isImapUrl(url.protocol))
    throw new Error(`${NAME} must have a form such as imaps://user:password@mail.example.com/INBOX`)
  const { user, password } = userIn(url, NAME)
  if (user === undefined || password === undefined)
    throw new Error(`${NAME} needs the user name and password of the mailbox: imaps://user:password@${host}/INBOX`)
  const secure = url.protocol === 'imaps:'
  return {
    protocol: 'imap',
    host,
    port: url.port === '' ? (secure ? 993 : 143) : Number(url.port),
    ...protectionIn(url, { name: NAME, secure, otherwise: isThisMachine(host) ? 'opportunistic' : 'required' }),
    user,
    password,
    mailbox: mailboxIn(url),
  }
}

function mailboxIn({ pathname }: URL): string {
  const name = decode(pathname.replace(/^\//, ''))
  if (name === undefined || [...name].some((each) => each < ' ' || each === '\x7f'))
    throw new Error(`The mailbox in ${NAME} is not encoded correctly. Write % as %25`)
  return name || 'INBOX'
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
