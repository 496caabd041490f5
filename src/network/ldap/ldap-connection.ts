import { connect, isIP } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { Client, ClientOptions, Entry, Filter } from 'ldapts'
import { loadLdapts } from './ldap-package.ts'
import type { LdapServer } from './ldap-server.ts'

const TIMEOUT_MS = 10_000
const PAGE_SIZE = 500

export interface LdapSearch {
  readonly scope: 'base' | 'sub'
  readonly filter: Filter
  readonly attributes: readonly string[]
  /** Attributes with bytes instead of text. */
  readonly binary?: readonly string[]
  /** More entries than this are left out. Without it, all pages are read. */
  readonly most?: number
}

/** An open connection to a directory. Its functions throw DirectoryFailed. */
export interface LdapConnection {
  /** Returns whether the password is right. An empty password is wrong without asking: directories accept it from anybody. */
  bind(dn: string, password: string): Promise<boolean>
  /** Returns the entries. References to other directories are not followed. */
  search(base: string, search: LdapSearch): Promise<Entry[]>
}

/** The directory can't be reached, or doesn't answer as it should. The message is for operators. */
export class DirectoryFailed extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'DirectoryFailed'
  }
}

/**
 * Result codes of a bind that say that this person can't sign in with this password: wrong, locked, disabled, expired, or no
 * such entry.
 */
const REFUSED: ReadonlySet<number> = new Set([19, 32, 34, 48, 49, 53])

/** Connects to a directory, does the work and disconnects. */
export async function withLdap<T>(server: LdapServer, work: (connection: LdapConnection) => Promise<T>): Promise<T> {
  const { Client } = await loadLdapts()
  const client = new Client(optionsFor(server))
  try {
    if (server.tls === 'starttls') await startTls(client, server)
    return await work(connectionOf(client, server))
  } finally {
    await client.unbind().catch(() => {})
  }
}

/**
 * A lost connection is never opened again: the package would send the next password over a new one, without StartTLS.
 */
function optionsFor({ host, port, tls, ca, timeoutMs = TIMEOUT_MS }: LdapServer): ClientOptions {
  const once = <F extends (...args: never[]) => unknown>(open: F): F => {
    let opened = false
    return ((...args: never[]) => {
      if (opened) throw new Error('the connection was lost')
      opened = true
      return open(...args)
    }) as F
  }
  return {
    url: `${tls === 'ldaps' ? 'ldaps' : 'ldap'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
    timeout: timeoutMs,
    connectTimeout: timeoutMs,
    createConnection: once(connect),
    createSecureConnection: once(connectSecurely),
    ...(tls === 'ldaps' && { tlsOptions: { ...nameOf(host), ...(ca !== undefined && { ca }) } }),
  }
}

/** The name that the certificate must have. Addresses have no name for TLS to send. */
const nameOf = (host: string) => (isIP(host) === 0 ? { host, servername: host } : { host })

async function startTls(client: Client, server: LdapServer): Promise<void> {
  const { host, ca, timeoutMs = TIMEOUT_MS } = server
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('TLS was not established in time')), timeoutMs)
  })
  try {
    await Promise.race([client.startTLS({ ...nameOf(host), ...(ca !== undefined && { ca }) }), late])
  } catch (error) {
    throw failed(server, error)
  } finally {
    clearTimeout(timer)
  }
}

const connectionOf = (client: Client, server: LdapServer): LdapConnection => ({
  async bind(dn, password) {
    if (dn.trim() === '' || password === '') return false
    try {
      await client.bind(dn, password)
      return true
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (typeof code === 'number' && REFUSED.has(code)) return false
      throw failed(server, error)
    }
  },
  async search(base, { scope, filter, attributes, binary = [], most }) {
    try {
      const { searchEntries } = await client.search(base, {
        scope,
        filter,
        attributes: [...attributes],
        explicitBufferAttributes: [...binary],
        ...(most === undefined ? { paged: { pageSize: PAGE_SIZE } } : { sizeLimit: most }),
      })
      return searchEntries
    } catch (error) {
      throw failed(server, error)
    }
  },
})

function failed({ host, port }: LdapServer, error: unknown): DirectoryFailed {
  // The package's messages have several lines, and none has a password.
  const [reason = ''] = (error as Error).message.split('\n').filter((line) => !/^Socket error/.test(line))
  const { code } = error as { code?: unknown }
  const named = typeof code === 'string' && !reason.includes(code) ? ` (${code})` : ''
  return new DirectoryFailed(`${host}:${port} failed: ${(error as Error).name}: ${reason}${named}`, { cause: error })
}
