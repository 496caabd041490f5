import { AddressRefused, connector, type FetchAnswer, type PostLimits } from './post.ts'

/** A request to a server that the operator has named, such as an identity provider. */
export interface NamedServerRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Readonly<Record<string, string>>
  body?: string | undefined
  signal: AbortSignal
}

/** Asks a server. Throws AddressRefused or the network's error. */
export type AskNamedServer = (request: NamedServerRequest) => Promise<FetchAnswer>

const MAX_BYTES = 1024 * 1024

/**
 * Creates a function that asks servers over HTTPS. The named hosts may be in a private network, because the operator
 * chose them. All others, which a named server may point to, must be on the public Internet.
 */
export function askNamedServers(
  hosts: ReadonlySet<string>,
  limits: PostLimits & { allowHttp?: boolean } = {},
): AskNamedServer {
  const { allowHttp = false, ...others } = limits
  const remedy = 'Put the issuer on the same host, or use public addresses'
  const named = connector({ maxBytes: MAX_BYTES, ...others, allowPrivate: true })
  const unnamed = connector({ maxBytes: MAX_BYTES, ...others, allowPrivate: false, remedy })
  return async ({ method, body, ...request }) => {
    const { protocol, host } = new URL(request.url)
    if (protocol !== 'https:' && !allowHttp) throw new AddressRefused(`${host} must be reached over HTTPS`)
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const ask = hosts.has(host) ? named : unnamed
    return ask({ ...request, headers: { ...request.headers, ...length } }, method, body)
  }
}
