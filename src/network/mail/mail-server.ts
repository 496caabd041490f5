import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isThisMachine } from '../addresses.ts'
import type { Mailbox } from './mail.ts'

/** Whether a connection without TLS from the start is encrypted: with a checked certificate, if possible, or never. */
const TLS = ['required', 'opportunistic', 'none'] as const

/** How the connection to a mail server is encrypted. */
export interface Protection {
  /** Whether the connection begins with TLS. */
  secure: boolean
  tls: (typeof TLS)[number]
  /** Certificates to trust instead of the system's, in PEM. */
  ca: string | undefined
}

/** A mail server that takes mail by SMTP. */
export interface SmtpServer extends Protection {
  kind: 'smtp'
  host: string
  port: number
  user: string | undefined
  password: string | undefined
  /** A socket of this machine that takes mail in place of the host and port. */
  path?: string
  /** Whether to connect only to addresses on the public Internet. */
  isPublic?: boolean
}

/** A mail server, or this machine's `sendmail` program. */
export type MailServer = SmtpServer | { kind: 'sendmail'; path: string }

const NAME = 'The mail URL'

/**
 * Parses the address of a mail server, such as `smtp://user:password@mail.example.com:587`. Other machines must offer
 * TLS unless `?tls=none` permits plain text.
 *
 * @throws Error with a sentence that never contains the password
 */
export function parseMailUrl(text: string): MailServer {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'sendmail:') return { kind: 'sendmail', path: url.pathname || 'sendmail' }
  if (url?.protocol === 'smtp+unix:') return unixServer(url)
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol)) {
    throw new Error('The mail URL must start with smtp://, smtps://, smtp+unix: or sendmail:')
  }
  const host = hostOf(url)
  if (host === '') throw new Error('The mail URL has no host. Use a format such as smtp://mail.example.com:587')
  if (url.pathname !== '' && url.pathname !== '/') throw new Error('The mail URL must not have a path')
  const secure = url.protocol === 'smtps:'
  return {
    kind: 'smtp',
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    ...protectionIn(url, { name: NAME, secure, otherwise: isThisMachine(host) ? 'opportunistic' : 'required' }),
    ...userIn(url, NAME),
  }
}

/** Reads `smtp+unix:/run/mail.sock`. Other machines can't read a connection to a socket. */
function unixServer({ pathname, host, search }: URL): SmtpServer {
  let path: string
  try {
    path = decodeURIComponent(pathname)
  } catch {
    throw new Error(`The path in ${inSentence(NAME)} is not encoded correctly. Write % as %25`)
  }
  if (!path.startsWith('/') || path === '/' || host !== '' || search !== '')
    throw new Error(`${NAME} must be the path of a socket, such as smtp+unix:/run/mail.sock`)
  const open = { secure: false, tls: 'none', ca: undefined, user: undefined, password: undefined } as const
  return { kind: 'smtp', host: 'localhost', port: 25, path, ...open }
}

/** Returns the host of an address, without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/**
 * Reads how an address of a mail server wants to be encrypted, from its parameters `tls` and `ca`.
 *
 * @param options - the address's name in errors, whether its connection begins with TLS, and what applies without `tls`
 * @throws Error with a sentence
 */
export function protectionIn(
  url: URL,
  { name, secure, otherwise }: { name: string; secure: boolean; otherwise: Protection['tls'] },
): Protection {
  const unknown = [...url.searchParams.keys()].find((each) => each !== 'tls' && each !== 'ca')
  if (unknown !== undefined) throw new Error(`${name} has an unknown parameter, ${unknown}. It takes tls and ca`)
  const chosen = url.searchParams.get('tls')
  const tls = TLS.find((each) => each === (chosen ?? otherwise))
  if (!tls) throw new Error(`tls in ${inSentence(name)} must be required, opportunistic or none`)
  if (secure && chosen !== null && tls !== 'required')
    throw new Error(`A ${url.protocol}// URL always uses TLS. Remove tls=${tls}`)
  return { secure, tls: secure ? 'required' : tls, ca: certificates(url.searchParams.get('ca'), name) }
}

/**
 * Reads the user name and password of an address of a mail server.
 *
 * @throws Error with a sentence that doesn't contain them
 */
export const userIn = (url: URL, name: string) => ({
  user: decoded(url.username, 'user name', name),
  password: decoded(url.password, 'password', name),
})

const inSentence = (name: string): string => name.replace(/^The /, 'the ')

function certificates(file: string | null, name: string): string | undefined {
  if (file === null) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`The certificates of ${inSentence(name)} can't be read: ${(error as Error).message}`)
  }
}

function decoded(part: string, what: string, name: string): string | undefined {
  if (part === '') return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error(`The ${what} in ${inSentence(name)} is not encoded correctly. Write % as %25`)
  }
}

/** Returns the server's name for messages, without its credentials. */
export const nameOfServer = (server: MailServer): string =>
  server.kind === 'sendmail' ? server.path : (server.path ?? withPort(server))

/** Returns the host and port of a server for messages. */
export const withPort = ({ host, port }: { host: string; port: number }): string =>
  `${isIP(host) === 6 ? `[${host}]` : host}:${port}`

const ADDRESS = /^[^\s@"<>(),:;[\]\\]+@[^\s@"<>(),:;[\]\\]+$/

/**
 * Parses `Chat <chat@example.com>` or an address alone.
 *
 * @throws Error
 */
export function parseMailbox(text: string): Mailbox {
  const [, quoted = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = (bracketed ?? text).trim()
  const name = quoted.trim().replace(/^"(.*)"$/, '$1')
  const hasControl = [...name].some((each) => each < ' ' || each === '\x7f')
  if (ADDRESS.test(address) && address.length <= 254 && !hasControl) return { name, address }
  throw new Error('The sender must be an email address, or a name and an address such as "Chat <chat@example.com>"')
}
