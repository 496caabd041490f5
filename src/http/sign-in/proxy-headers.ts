import type { IncomingMessage } from 'node:http'
import type { ProxySignOn } from '../../core/accounts/providers/proxy.ts'
import { type Incoming, type TrustProxy, trustOf } from '../proxy.ts'

/**
 * In the `headers` of an action: the headers in which a trusted proxy names the user and their groups. No real header has a
 * colon in its name.
 */
export const PROXY_USER = ':proxy-user'
export const PROXY_GROUPS = ':proxy-groups'
export const isOfProxy = (header: string): boolean => header.startsWith(':')

/** Bounds the memory and the log if many addresses send the header. */
const MAX_REPORTED = 100

interface Options {
  /** The only path where the headers count, as the proxy sees it. */
  path: string
  proxy: ProxySignOn | undefined
  trustProxy: TrustProxy
  /** Called once for each address that sends the header without being trusted. */
  onUntrusted(address: string, header: string): void
}

/** Returns a function that reads one of these headers of a request. It finds nothing in requests that no trusted proxy sent. */
export function proxyHeaders({ path, proxy, trustProxy, onUntrusted }: Options) {
  // Trusting every address is for rate limits. Anyone who reaches the port could sign in as anybody.
  const isTrusted = typeof trustProxy === 'boolean' ? () => false : trustOf(trustProxy)
  const reported = new Set<string>()
  return (event: Incoming & { readonly req: Request }, header: string): string | undefined => {
    const name = header === PROXY_USER ? proxy?.header : proxy?.groups_header
    const text = name === undefined ? null : event.req.headers.get(name)
    if (name === undefined || text === null) return undefined
    const request = event.runtime?.node?.req as IncomingMessage | undefined
    // A proxy that protects this path may see another one in `/x/../accounts/…`, and let a browser's own header pass.
    const asked = request?.url?.split('?', 1)[0] ?? new URL(event.req.url).pathname
    if (asked !== path) return undefined
    const peer = request ? request.socket?.remoteAddress : (event as Incoming).req?.ip
    if (peer !== undefined && isTrusted(peer)) return text
    const address = peer ?? 'a connection without an address'
    if (!reported.has(address) && reported.size < MAX_REPORTED) {
      reported.add(address)
      onUntrusted(address, name)
    }
    return undefined
  }
}
