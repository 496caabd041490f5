import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from './addresses.ts'
import { checkedLookup } from './checked-lookup.ts'

/** A request to another server. */
export interface PostRequest {
  /** POST by default. */
  method?: 'GET'
  url: string
  headers: Readonly<Record<string, string>>
  /** Text, or encrypted bytes. */
  body: string | Uint8Array
  /** Aborts the request. */
  signal: AbortSignal
}

export interface PostAnswer {
  status: number
  body: string
}

/** Posts to another server. Throws AddressRefused or the network's error. */
export type Post = (request: PostRequest) => Promise<PostAnswer>

/** The address is not allowed. */
export class AddressRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'AddressRefused'
  }
}

export interface PostLimits {
  /** Whether requests may go to private networks and this machine. */
  allowPrivate?: boolean
  /** For the entire request, from the DNS lookup to the last byte of the response. */
  timeoutMs?: number
  /** The largest response, in bytes. */
  maxBytes?: number
}

/** A request for a document. */
export type FetchRequest = Omit<PostRequest, 'body'>

export interface FetchAnswer {
  status: number
  /** Names are in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  bytes: Uint8Array
}

/** Gets a document from another server. Throws as `Post` does. */
export type Fetch = (request: FetchRequest) => Promise<FetchAnswer>

/**
 * Creates a function that posts to other servers.
 * @example
 * const post = createPost()
 * const { status, body } = await post({ url: 'https://example.com/hook', headers: {}, body: '{}', signal })
 */
export function createPost({ maxBytes = 256 * 1024, ...limits }: PostLimits = {}): Post {
  const send = connector({ ...limits, maxBytes })
  return async ({ body, headers, method, ...request }) => {
    const length = method ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const { status, bytes } = await send({ ...request, headers: { ...headers, ...length } }, method ?? 'POST', body)
    return { status, body: bytes.toString('utf8') }
  }
}

/** Creates a function that gets documents from other servers. */
export function createFetch({ maxBytes = 5 * 1024 * 1024, ...limits }: PostLimits = {}): Fetch {
  const send = connector({ ...limits, maxBytes })
  return (request) => send(request, 'GET')
}

/** The start of an answer. Its body is read as it arrives, and throws if it is longer than the limit. */
export interface DownloadAnswer extends Omit<FetchAnswer, 'bytes'> {
  body: AsyncIterable<Buffer>
}

/** Begins to get a file from another server. Throws as `Post` does. */
export type Download = (request: FetchRequest) => Promise<DownloadAnswer>

/** Creates a function that gets files of any size from other servers. */
export function createDownload({ maxBytes = 1024 ** 3, timeoutMs = 600_000, ...limits }: PostLimits = {}): Download {
  return opener({ ...limits, maxBytes, timeoutMs })
}

/** Its answer's bytes are a buffer. */
type Connector = (
  request: FetchRequest,
  method: 'GET' | 'POST',
  body?: string | Uint8Array,
) => Promise<FetchAnswer & { bytes: Buffer }>

interface ConnectorLimits extends PostLimits {
  maxBytes: number
  remedy?: string
}

/** Sends requests to other servers, and reads the answers. */
export function connector(limits: ConnectorLimits): Connector {
  const open = opener(limits)
  return async (request, method, body) => {
    const { body: chunks, ...answer } = await open(request, method, body)
    const bytes: Buffer[] = []
    for await (const chunk of chunks) bytes.push(chunk)
    return { ...answer, bytes: Buffer.concat(bytes) }
  }
}

/**
 * The only function that makes outgoing requests. It resolves the name once and connects to an address that it checked.
 * Redirects are returned, not followed.
 */
function opener({
  allowPrivate = false,
  timeoutMs = 10_000,
  maxBytes,
  remedy = 'Start the server with --allow-private-webhooks to permit it',
}: ConnectorLimits) {
  const refuse = (host: string) => new AddressRefused(`${host} is not on the public Internet. ${remedy}`)
  const checked = checkedLookup(allowPrivate ? undefined : refuse)

  return async (
    { url, headers, signal }: FetchRequest,
    method: 'GET' | 'POST' = 'GET',
    body?: string | Uint8Array,
  ): Promise<DownloadAnswer> => {
    const target = new URL(url)
    const host = target.hostname.replace(/^\[|\]$/g, '')
    if (target.username !== '' || target.password !== '')
      throw new AddressRefused('the URL contains a user name or a password')
    // An IP address needs no DNS lookup.
    if (isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host)) throw refuse(host)
    const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const open = target.protocol === 'https:' ? httpsRequest : httpRequest
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = open(target, {
        method,
        headers,
        lookup: checked,
        // Connections aren't reused.
        agent: false,
        signal: ends,
      })
      request.once('response', resolve).once('error', reject)
      request.end(method === 'GET' ? undefined : body)
    })
    return {
      status: response.statusCode ?? 0,
      headers: response.headers as Record<string, string | undefined>,
      body: limited(response, maxBytes),
    }
  }
}

async function* limited(response: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > maxBytes) throw new Error(`the response is longer than ${maxBytes} bytes`)
    yield chunk
  }
}
