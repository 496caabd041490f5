import type { FileStream, UploadedFile } from '../core/kernel/fields.ts'
import type * as library from '../index.ts'
import { operations } from './operations.ts'
import { ConnectionError, decode, encode, type Params } from './request.ts'

type Library = typeof library
type OperationName = keyof typeof operations

/** What of an action's parameters a client writes otherwise: a file is a Blob. */
type AsSent<P> = P extends object
  ? { [N in keyof P]: Extract<P[N], UploadedFile | FileStream> extends never ? P[N] : Blob }
  : P

/** Every answer has these besides its own members. */
export interface Answered {
  result: 'success'
  msg: string
  /** Parameters that were sent and that the server does not know. */
  ignored_parameters_unsupported?: readonly string[]
}

export interface CallOptions {
  /** Ends the request. */
  signal?: AbortSignal
  /** A repetition with the same key and parameters, within 24 hours, is answered like the first request and changes nothing. */
  idempotencyKey?: string
}

type CallOf<A> = A extends (caller: never, ...params: infer P) => Promise<infer R>
  ? (...args: [...{ [I in keyof P]: AsSent<P[I]> }, options?: CallOptions]) => Promise<R & Answered>
  : never

/** One method for every action of the API. */
export type Client = { readonly [N in OperationName]: CallOf<Library[N]> }

export interface ClientOptions {
  /** Where the server is, such as https://chat.example.com. */
  url: string
  /** Whose account it is: by an API key, or by the session of the browser; nothing for what needs none. */
  credentials?: { email: string; key: string } | 'session' | undefined
  /** How requests are made; the platform's own unless given. */
  fetch?: typeof fetch
  /** More headers for each request. */
  headers?: Readonly<Record<string, string>>
}

/**
 * A client of the API over HTTP, in a browser, in Node or anywhere else with `fetch`: a method for each action, named and
 * typed as the library's functions, without the caller.
 *
 * @throws ChatError what the server refuses, with its code and data (from the methods)
 * @throws ConnectionError when the server cannot be reached (from the methods)
 * @example
 * const ann = createClient({ url: 'http://127.0.0.1:9991', credentials: { email: 'ann@example.com', key } })
 * const { id } = await ann.sendMessage({ type: 'stream', to: 'verona', topic: 'plans', content: 'Hello' })
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(operations).map(([name, [method, path, field]]: Entry) => {
    const call = (params: Params = {}, more: CallOptions = {}) => send(options, { method, path, field }, params, more)
    return [name, call] as const
  })
  // The methods' types follow from the operations' names, which a list of entries loses.
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

/** Every platform has other words for a connection that failed. */
async function reach<T>(ask: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ConnectionError('The server cannot be reached', { cause })
  }
}

// @NOTE btoa takes one byte a character only.
const basic = ({ email, key }: { email: string; key: string }): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${email}:${key}`)))}`
