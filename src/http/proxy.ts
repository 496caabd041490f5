import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/**
 * Proxies whose X-Forwarded-* headers are trusted: none, this machine, all, or these addresses and CIDR ranges
 * ('10.0.0.0/8', 'fd00::/8', 'loopback').
 */
export type TrustProxy = boolean | 'loopback' | readonly string[]

/** The client's address, and the URL by which it reached the server. */
export interface Client {
  /** The client's own address; undefined when a request came without a socket. */
  readonly address: string | undefined
  /** Base URL under which this request reached the server, without a trailing slash. */
  readonly origin: string
}

export interface ProxyOptions {
  trustProxy: TrustProxy
  /** Base URL as configured; takes precedence over the request's headers. */
  publicUrl: string | undefined
  /** Path below which the app answers; it is part of each origin read from headers. */
  basePath?: string
  /** Called once for each address that sends forwarded headers without being trusted. */
  onUntrusted(address: string): void
}

const HOST = /^(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)*)(:\d{1,5})?$/i
/** Bounds the memory and the log if many addresses send the headers. */
const MAX_REPORTED = 100

type NodeHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * The parts of a request that identify its sender. They are part of the app's public options, so they use no type of
 * the framework.
 */
export interface Incoming {
  /** Missing for a request of node:http that has none of the framework's. */
  readonly req?: (Request & { readonly ip?: string | undefined }) | undefined
  readonly runtime?: { readonly node?: { readonly req: unknown } | undefined } | undefined
}

/**
 * Returns a function that reads the client's address and our own from a request. Only headers of trusted proxies
 * count.
 */
export function clientReader({
  trustProxy,
  publicUrl,
  basePath = '',
  onUntrusted,
}: ProxyOptions): (event: Incoming) => Client {
  const isTrusted = trustOf(trustProxy)
  const reported = new Set<string>()

  return (event) => {
    const request = event.runtime?.node?.req as IncomingMessage | undefined
    if (!request) return { address: event.req?.ip, origin: publicUrl ?? new URL(event.req!.url).origin + basePath }
    const headers: NodeHeaders = request.headers
    const peer = request.socket?.remoteAddress
    if (!isForwarded(headers)) return { address: peer, origin: publicUrl ?? ownOrigin(headers) + basePath }
    if (peer === undefined || !isTrusted(peer)) {
      if (peer !== undefined && !reported.has(peer) && reported.size < MAX_REPORTED) onUntrusted(peer)
      if (peer !== undefined && reported.size < MAX_REPORTED) reported.add(peer)
      return { address: peer, origin: publicUrl ?? ownOrigin(headers) + basePath }
    }
    const path = listOf(headers['x-forwarded-for'])
    // Each proxy appends the address it was reached from. From the right, the first address that no trusted proxy
    // added is the client.
    let hop = path.length - 1
    while (hop > 0 && isTrusted(path[hop]!)) hop--
    return { address: path[hop] ?? peer, origin: publicUrl ?? forwardedOrigin(headers, path.length - hop) + basePath }
  }
}

const isForwarded = (headers: NodeHeaders): boolean =>
  headers['x-forwarded-for'] !== undefined ||
  headers['x-forwarded-proto'] !== undefined ||
  headers['x-forwarded-host'] !== undefined

const ownOrigin = ({ host }: NodeHeaders): string =>
  typeof host === 'string' && HOST.test(host) ? `http://${host}` : 'http://localhost'

/** Returns the forwarded value of the proxy that the client reached, `hops` proxies before this server. */
function forwardedOrigin(headers: NodeHeaders, hops: number): string {
  const at = (name: string) => {
    const list = listOf(headers[name])
    return list[Math.max(0, list.length - hops)]
  }
  const host = at('x-forwarded-host') ?? String(headers.host)
  const protocol = at('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http'
  return HOST.test(host) ? `${protocol}://${host}` : 'http://localhost'
}

const listOf = (value: string | string[] | undefined): string[] =>
  value === undefined
    ? []
    : String(value)
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')

/**
 * Returns a function that checks whether an address belongs to a trusted proxy. Throws for an entry that is neither an
 * address nor a range.
 */
export function trustOf(setting: TrustProxy): (address: string) => boolean {
  if (typeof setting === 'boolean') return () => setting
  const list = new BlockList()
  for (const entry of setting === 'loopback' ? ['loopback'] : setting) addTo(list, entry.trim())
  return (address) => {
    // @NOTE a link-local address may name its interface, which a BlockList can't parse
    const plain = address.split('%', 1)[0]!
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}

function addTo(list: BlockList, entry: string): void {
  if (entry === 'loopback') {
    list.addSubnet('127.0.0.0', 8, 'ipv4')
    list.addAddress('::1', 'ipv6')
    return
  }
  const [, address = '', prefix] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? []
  const family = isIP(address)
  const bits = family === 6 ? 128 : 32
  const length = prefix === undefined ? bits : Number(prefix)
  if (family === 0 || length > bits) {
    throw new Error(`cannot trust ${JSON.stringify(entry)}, which is not an address or a range such as 10.0.0.0/8`)
  }
  list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4')
}
