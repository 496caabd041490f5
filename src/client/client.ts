import type { FileStream, UploadedFile } from '../core/kernel/fields.ts'
import type * as library from '../index.ts'
import { operations } from './operations.ts'
import { ConnectionError, decode, encode, type Params } from './request.ts'

type Library = typeof library
type OperationName = keyof typeof operations

/** An action's parameters as clients pass them: a file is a Blob. */
type AsSent<P> = P extends object
  ? { [N in keyof P]: Extract<P[N], UploadedFile | FileStream> extends never ? P[N] : Blob }
  : P

/** Members of every response. */
export interface Answered {
  result: 'success'
  msg: string
  /** Parameters that the server doesn't know and ignored. */
  ignored_parameters_unsupported?: readonly string[]
}

export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal
  /**
   * Makes the request safe to repeat: a repetition with the same key and parameters within 24 hours gets the first
   * response and changes nothing.
   */
  idempotencyKey?: string
}

type CallOf<A> = A extends (caller: never, ...params: infer P) => Promise<infer R>
  ? (...args: [...{ [I in keyof P]: AsSent<P[I]> }, options?: CallOptions]) => Promise<R & Answered>
  : never

/** One method for every action of the API. */
export type Client = { readonly [N in OperationName]: CallOf<Library[N]> }

export interface ClientOptions {
  /** Address of the server, such as https://chat.example.com. */
  url: string
  /** The account: an API key or the browser's session. Some actions need neither. */
  credentials?: { email: string; key: string } | 'session' | undefined
  /** Sends the requests; the platform's own `fetch` by default. */
  fetch?: typeof fetch
  /** Additional headers of each request. */
  headers?: Readonly<Record<string, string>>
}

/**
 * Creates a client of the API over HTTP, for browsers, Node and any platform with `fetch`. It has a method for each
 * action, with the name and type of the library's function, without the caller.
 *
 * @throws ChatError with code and data if the server rejects a request (from the methods)
 * @throws ConnectionError if the server can't be reached (from the methods)
 * @example
 * const ann = createClient({ url: 'http://127.0.0.1:9991', credentials: { email: 'ann@example.com', key } })
 * const { id } = await ann.sendMessage({ type: 'stream', to: 'verona', topic: 'plans', content: 'Hello' })
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(operations).map(([name, [method, path, field]]: Entry) => {
    const call = (params: Params = {}, more: CallOptions = {}) => send(options, { method, path, field }, params, more)
    return [name, call] as const
  })
  // Object.fromEntries loses the names of the methods.
  return Object.fromEntries(methods) as unknown as Client
}

type Entry = [name: string, operation: readonly [method: string, path: string, field?: string]]

interface Operation {
  method: string
  path: string
  field: string | undefined
}

async function send(
  { url, credentials, fetch: request = fetch, headers }: ClientOptions,
  { method, path: pattern, field }: Operation,
  params: Params,
  { signal, idempotencyKey }: CallOptions,
): Promise<object> {
  const { path, body } = encode(method, pattern, params, field)
  const init: RequestInit = {
    method,
    headers: {
      ...headers,
      ...(credentials === 'session' && { 'x-requested-with': 'chat-server' }),
      ...(typeof credentials === 'object' && { authorization: basic(credentials) }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body }),
    ...(signal && { signal }),
  }
  const base = `${url.replace(/\/$/, '')}${credentials === 'session' ? '/json' : '/api/v1'}`
  const response = await reach(() => request(base + path, init), signal)
  return decode(response)
}

/** Wraps failed connections, which every platform reports differently. */
async function reach<T>(ask: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ConnectionError("Can't reach the server", { cause })
  }
}

// @NOTE btoa accepts only one byte per character
const basic = ({ email, key }: { email: string; key: string }): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${email}:${key}`)))}`
