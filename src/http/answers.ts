import { FastResponse } from 'srvx'
import { ChatError, type ErrorCode, type errorCodes } from '../core/errors.ts'
import { StorageError } from '../storage/errors.ts'

type Kind = (typeof errorCodes)[ErrorCode]

/** The one place that knows statuses (issue: "Where the document is silent"). */
export const statusOf: Readonly<Record<Kind, number>> = {
  request: 400,
  credentials: 401,
  path: 404,
  method: 405,
  conflict: 409,
  size: 413,
  media: 415,
  rate: 429,
  bug: 500,
  storage: 507,
}

export type Headers = Record<string, string>

const common: Headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** An answer that brings its members as JSON already made. */
export interface WireAnswer {
  wireMembers(): string
}
const isWireAnswer = (result: object): result is WireAnswer => 'wireMembers' in result

export const json = (status: number, body: string, headers?: Headers): Response =>
  new FastResponse(body, { status, headers: headers ? { ...common, ...headers } : common })

export function success(result: object, ignored: readonly string[], headers?: Headers): Response {
  const members = isWireAnswer(result) ? result.wireMembers() : JSON.stringify(result).slice(1, -1)
  let body = `{"result":"success","msg":""${members && `,${members}`}`
  if (ignored.length > 0) body += `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`
  return json(200, `${body}}`, headers)
}

export function refusal({ code, kind, message, data }: ChatError, headers: Headers = {}): Response {
  const extra: Headers = { ...headers }
  if (kind === 'credentials') extra['www-authenticate'] = 'Basic realm="chat-server"'
  const wait = data['retry-after']
  if (typeof wait === 'number') extra['retry-after'] = String(Math.ceil(wait))
  return json(statusOf[kind], JSON.stringify({ result: 'error', msg: message, code, ...data }), extra)
}

/** Failures of the layers below that have an answer of their own; all others are bugs. */
export function knownError(error: unknown): ChatError | undefined {
  if (error instanceof ChatError) return error
  if (error instanceof StorageError && error.kind === 'full') return new ChatError('STORAGE_FULL', error.message)
  return undefined
}

export const unknownPath = (): ChatError => new ChatError('NOT_FOUND', 'Unknown path')
export const tooLarge = (message: string): ChatError => new ChatError('TOO_LARGE', message)
export const unreadable = (message: string): ChatError => new ChatError('UNREADABLE_BODY', message)

export const allowHeader = (methods: readonly string[]): string => [...methods, 'OPTIONS'].join(', ')

export const wrongMethod = (allowed: readonly string[]): Response =>
  refusal(new ChatError('METHOD_NOT_ALLOWED', 'Method Not Allowed', { allowed_methods: allowed }), {
    allow: allowHeader(allowed),
  })
