import { type LookupAddress, lookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './addresses.ts'

/** A request to another server. */
export interface PostRequest {
  url: string
  headers: Readonly<Record<string, string>>
  /** Text, or the bytes of what is encrypted. */
  body: string | Uint8Array
  /** Ends the request. */
  signal: AbortSignal
}

export interface PostAnswer {
  status: number
  body: string
}

/** Posts to another server. Throws AddressRefused, or what the network says. */
export type Post = (request: PostRequest) => Promise<PostAnswer>

/** The address is none that requests may go to. */
export class AddressRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'AddressRefused'
  }
}

export interface PostLimits {
  /** Whether addresses of private networks, of this machine and the like may be posted to. */
  allowPrivate?: boolean
  /** For all of a request, from looking up the name to the last byte of the answer. */
  timeoutMs?: number
  /** Largest answer. */
  maxBytes?: number
}

/**
 * The one outgoing connection there is. The name is looked up once and the connection goes to an address that was
 * checked, so that no later answer of the name's server matters. Redirects are answers like others: nothing follows them.
 *
 * @example
 * const post = createPost()
 * const { status, body } = await post({ url: 'https://example.com/hook', headers: {}, body: '{}', signal })
 */
export function createPost({ allowPrivate = false, timeoutMs = 10_000, maxBytes = 256 * 1024 }: PostLimits = {}): Post {
  const refuse = (host: string) =>
    new AddressRefused(`${host} is not on the public Internet; --allow-private-webhooks would permit it`)
  const checkedLookup: LookupFunction = (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, [])
      if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(refuse(host), [])
      if (options.all) return callback(null, addresses)
      const [first] = addresses
      callback(null, first!.address, first!.family)
    })
  }

  return async ({ url, headers, body, signal }) => {
    const target = new URL(url)
    const host = target.hostname.replace(/^\[|\]$/g, '')
    if (target.username !== '' || target.password !== '')
      throw new AddressRefused('the URL has a name or a password in it')
    // Of an address nothing is looked up.
    if (isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host)) throw refuse(host)
    const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const open = target.protocol === 'https:' ? httpsRequest : httpRequest
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = open(target, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        lookup: checkedLookup,
        // No connection is kept for later.
        agent: false,
        signal: ends,
      })
      request.once('response', resolve).once('error', reject)
      request.end(body)
    })
    return { status: response.statusCode ?? 0, body: await textOf(response, maxBytes) }
  }
}

async function textOf(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop ends the connection.
    if (size > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
