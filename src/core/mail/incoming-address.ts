import type { Chat } from '../kernel/chat.ts'
import { secretsOf } from '../kernel/secrets.ts'

/** The parts of an address of this server. */
export type IncomingAddress =
  | { kind: 'reply' | 'channel'; token: string; options: ReadonlySet<string> }
  /** An email of this server comes back to it. */
  | { kind: 'bounce'; token: string; mail_id: number }

/** Local parts and names in front of a token that are longer don't come from this server. */
const MAX_LOCAL_PART = 200
/** RFC 5321, 4.5.3.1. */
const MAX_WRITTEN_LOCAL_PART = 64

/**
 * Checks the form of the addresses that take email, such as `%s@chat.example.com` or `chat+%s@example.com`.
 *
 * @throws Error unless `%s` is in it once, before the `@`
 */
export function checkedPattern(pattern: string | undefined): string | undefined {
  if (pattern === undefined) return undefined
  const isValid = /^(?:[\w.-]+[+.])?%s@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9-]+$/i.test(pattern)
  if (isValid && pattern.length <= 150) return pattern
  throw new Error('The address for incoming email must have the form %s@chat.example.com or chat+%s@example.com')
}

/** Returns whether addresses of this server can be written into emails and shown. */
export const receivesMail = ({ options }: Chat): boolean => options.mailInAddress !== undefined

/** Returns an address with this local part. Call it only if the server receives email. */
export const addressWith = ({ options }: Chat, local: string): string =>
  options.mailInAddress!.replace('%s', () => local)

/** Returns a channel's name as it stands before a token: decoration, left out where it has nothing but other scripts. */
export function decoration({ options }: Chat, name: string, token: string): string {
  const before = options.mailInAddress!.indexOf('%s')
  const room = MAX_WRITTEN_LOCAL_PART - before - token.length - 1
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const text = ascii.slice(0, Math.max(0, room)).replace(/^-+|-+$/g, '')
  return text === '' ? '' : `${text}.`
}

/** Returns 128 bits as hexadecimal digits, which survive mail servers that change the case of addresses. */
export const tokenFrom = (chat: Chat, text: string): string =>
  Buffer.from(secretsOf(chat).digest(text), 'base64url').subarray(0, 16).toString('hex')

/** Returns the digest under which a token is stored. */
export const digestOf = (chat: Chat, token: string): string => secretsOf(chat).digest(`mail address ${token}`)

const BOUNCE = /(?:^|[.+])mb(\d{1,15})-([0-9a-f]{32})$/
const LOCAL_PART = /(?:^|[.+])(mm)?([0-9a-f]{32})((?:[.+][a-z-]{1,30}){0,8})$/

/** Reads the address of an envelope; undefined if it can't be one of this server's. */
export function readAddress(address: string): IncomingAddress | undefined {
  const at = address.lastIndexOf('@')
  const local = (at === -1 ? address : address.slice(0, at)).replace(/^<?"?|"$/g, '').toLowerCase()
  if (local.length > MAX_LOCAL_PART) return undefined
  const [, mail_id, bounce] = BOUNCE.exec(local) ?? []
  if (bounce !== undefined) return { kind: 'bounce', token: bounce, mail_id: Number(mail_id) }
  const [, reply, token, options] = LOCAL_PART.exec(local) ?? []
  if (token === undefined) return undefined
  return { kind: reply ? 'reply' : 'channel', token, options: new Set(options!.split(/[.+]/).filter(Boolean)) }
}
