import { FastResponse } from 'srvx'
import { ChatError, type ErrorKind } from '../core/kernel/errors.ts'
import { StorageError } from '../storage/index.ts'

/** The only place that knows HTTP statuses. */
export const statusOf: Readonly<Record<ErrorKind, number>> = {
  request: 400,
  credentials: 401,
  forbidden: 403,
  path: 404,
  method: 405,
  conflict: 409,
  slow: 408,
  precondition: 412,
  size: 413,
  media: 415,
  range: 416,
  expectation: 417,
  rate: 429,
  headers: 431,
  bug: 500,
  gateway: 502,
  unavailable: 503,
  storage: 507,
}

export type Headers = Record<string, string>

/** Seconds after which a restarted server should be available again. */
const RETRY_UNAVAILABLE_SECONDS = 5

/** A response whose members are JSON text already. */
export interface PreparedAnswer {
  wireMembers(): string
}
export const isPrepared = (result: object): result is PreparedAnswer => 'wireMembers' in result

export const jsonHeaders: Headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** A response whose body is a text in memory; its length is recorded for the access log. */
interface TextResponse extends Response {
  bodyText?: string
}

export function json(status: number, body: string, headers?: Headers): Response {
  const response: TextResponse = new FastResponse(body, {
    status,
    headers: headers ? { ...jsonHeaders, ...headers } : jsonHeaders,
  })
  response.bodyText = body
  return response
}

/** Returns the body if it is a text in memory. */
export const textOf = ({ bodyText }: TextResponse): string | undefined => bodyText

/** Bytes of a body that is not streamed. */
export const bytesOf = ({ bodyText = '' }: TextResponse): number => Buffer.byteLength(bodyText)

export const success = (result: object, ignored: readonly string[], headers?: Headers, status = 200): Response =>
  json(status, successText(result, ignored), headers)

export function successText(result: object, ignored: readonly string[]): string {
  const members = isPrepared(result) ? result.wireMembers() : JSON.stringify(result).slice(1, -1)
  // In a few operations, the message is the result.
  const msg = 'msg' in result ? '' : `,"msg":""`
  let body = `{"result":"success"${msg}${members && `,${members}`}`
  if (ignored.length > 0) body += `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`
  return `${body}}`
}

/** Returns the status and the body of an error, for code without a Response. */
export const refusalParts = ({ code, kind, message, data }: ChatError) => ({
  status: statusOf[kind],
  body: JSON.stringify({ result: 'error', msg: message, code, ...data }),
})

/** @param scheme - how to sign in; at `Basic`, browsers show their own sign-in window */
export function refusal(error: ChatError, headers: Headers = {}, scheme: 'Basic' | 'Session' = 'Basic'): Response {
  const { status, body } = refusalParts(error)
  const extra: Headers = { ...headers }
  if (status === statusOf.credentials) extra['www-authenticate'] = `${scheme} realm="zulip"`
  const wait = error.data['retry-after']
  if (typeof wait === 'number') extra['retry-after'] = String(Math.ceil(wait))
  return json(status, body, extra)
}

/** Failures of the database that a repeated request may not have. */
const MAY_PASS: ReadonlySet<StorageError['kind']> = new Set(['broken', 'busy', 'closed', 'unavailable'])

/** Returns the ChatError for a failure of a lower layer, or undefined. All other errors are bugs. */
export function knownError(error: unknown): ChatError | undefined {
  if (error instanceof ChatError) return error
  if (!(error instanceof StorageError)) return undefined
  if (error.kind === 'full') return new ChatError('STORAGE_FULL', error.message)
  return MAY_PASS.has(error.kind) ? unavailable() : undefined
}

export const unavailable = (message = 'The server is unavailable. Try again soon'): ChatError =>
  new ChatError('SERVICE_UNAVAILABLE', message, { 'retry-after': RETRY_UNAVAILABLE_SECONDS })

export const tooLarge = (message: string): ChatError => new ChatError('TOO_LARGE', message)
export const unreadable = (message: string): ChatError => new ChatError('UNREADABLE_BODY', message)

export const allowHeader = (methods: readonly string[]): string => [...new Set([...methods, 'OPTIONS'])].join(', ')

export const wrongMethod = (allowed: readonly string[]): Response =>
  refusal(new ChatError('METHOD_NOT_ALLOWED', 'Method Not Allowed', { allowed_methods: allowed }), {
    allow: allowHeader(allowed),
  })
