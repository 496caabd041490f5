import { readFileSync } from 'node:fs'
import { isThisMachine } from '../addresses.ts'

/** A server that speaks LDAP. */
export interface LdapServer {
  readonly host: string
  readonly port: number
  /** Whether the connection begins with TLS, changes to it before anything else is sent, or is in plain text. */
  readonly tls: 'ldaps' | 'starttls' | 'none'
  /** Certificates to trust instead of the system's, in PEM. */
  readonly ca: string | undefined
  /** For TLS, and for each answer; ten seconds by default. */
  readonly timeoutMs?: number
}

/**
 * Parses the address of a directory, such as `ldaps://ldap.example.com`. Only a directory on this machine may be reached
 * without TLS.
 *
 * @throws Error with a sentence that begins with the name of the member
 */
export function parseLdapUrl(text: string, given: { tls?: 'starttls' | 'none'; ca_file?: string }): LdapServer {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['ldap:', 'ldaps:'].includes(url.protocol) || url.hostname === '') {
    throw new Error('"url" must be an address such as ldaps://ldap.example.com')
  }
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.username !== '') {
    throw new Error('"url" must have only a host and a port. Name the place to search in "base"')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'ldaps:'
  if (isSecure && given.tls !== undefined) throw new Error('"tls" has no meaning with ldaps://, which always uses TLS')
  const tls = isSecure ? 'ldaps' : (given.tls ?? (isThisMachine(host) ? 'none' : 'starttls'))
  if (tls === 'none' && !isThisMachine(host)) {
    throw new Error('"tls" can be "none" only for a directory on this machine, because passwords would be readable')
  }
  return {
    host,
    port: url.port === '' ? (isSecure ? 636 : 389) : Number(url.port),
    tls,
    ca: certificates(given.ca_file),
  }
}

function certificates(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`"ca_file" can't be read: ${(error as Error).message}`)
  }
}
