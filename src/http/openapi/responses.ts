import { type ErrorCode, errorCodes } from '../../core/kernel/errors.ts'
import type { AnswerKind } from '../../core/kernel/transport.ts'
import { statusOf } from '../responses.ts'
import type { AnyAction, Method } from '../route-types.ts'
import { takesKey } from './request.ts'
import { jsonSchemaOf } from './schemas.ts'

const textOf = { schema: { type: 'string' } }

/** The success responses of each kind of answer, by status. */
const successes: Readonly<Record<AnswerKind, (action: AnyAction) => Record<string, object>>> = {
  json: (action) => ({ 200: { description: 'Success', content: { 'application/json': { schema: success(action) } } } }),
  text: () => ({ 200: { description: 'Plain text', content: { 'text/plain': textOf } } }),
  bytes: () => ({ 200: { description: 'The file', content: { 'application/octet-stream': {} } } }),
  events: () => ({ 200: { description: 'Server-sent events', content: { 'text/event-stream': textOf } } }),
  protocol: () => ({ 200: { description: 'Success, with status 200, 201 or 204 as the protocol requires' } }),
  asset: () => ({ 200: { description: 'The file' } }),
  scim: () => ({ 200: { description: 'Success, with status 200, 201 or 204, in the form of RFC 7644' } }),
  page: () => ({ 200: { description: 'An HTML page', content: { 'text/html': textOf } } }),
  redirect: () => ({ '3XX': { description: 'Redirect', headers: { Location: textOf } } }),
}

/** The members of every JSON response, and the members of this one. */
function success({ result }: AnyAction) {
  const members = jsonSchemaOf(result)
  return {
    type: 'object',
    required: ['result', 'msg', ...(members.required ?? [])],
    properties: {
      result: { type: 'string', const: 'success' },
      msg: { type: 'string', const: '' },
      ignored_parameters_unsupported: {
        type: 'array',
        items: { type: 'string' },
        description: "Parameters in the request that this operation doesn't have.",
      },
      ...members.properties,
    },
  }
}

/** Error codes that any request may get. */
const common = ['BAD_REQUEST', 'RATE_LIMIT_HIT', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', 'STORAGE_FULL'] as const
const ofBodies = ['TOO_LARGE', 'UNREADABLE_BODY', 'REQUEST_TIMEOUT'] as const
const ofAccounts = ['UNAUTHORIZED', 'INVALID_API_KEY', 'USER_DEACTIVATED', 'INSUFFICIENT_SCOPE'] as const

/** Returns the responses by status: the success response and the operation's error codes. */
export function responsesOf(action: AnyAction, method: Method, hasBody: boolean): Record<string, object> {
  const { errors = [], role, answers = 'json' } = action
  const codes: ErrorCode[] = [
    ...common,
    ...(hasBody ? ofBodies : []),
    ...(role === 'visitor' ? [] : ofAccounts),
    ...(takesKey(action, method) ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...errors,
  ]
  const byStatus = new Map<number, Set<ErrorCode>>()
  for (const code of codes) {
    const status = statusOf[errorCodes[code]]
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  const refusals = [...byStatus].map(([status, names]) => [status, refusal([...names].join(', '))] as const)
  return {
    ...successes[answers](action),
    ...Object.fromEntries(refusals),
    default: refusal('Any other error, such as an unknown path or a wrong method'),
  }
}

const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

export const errorSchema = {
  type: 'object',
  required: ['result', 'msg', 'code'],
  properties: {
    result: { type: 'string', const: 'error' },
    msg: { type: 'string', description: 'Error message for people.' },
    code: { type: 'string', enum: Object.keys(errorCodes) },
    stream: { type: 'string', description: 'With STREAM_DOES_NOT_EXIST: the requested name.' },
    stream_id: { type: 'integer', description: 'With STREAM_DOES_NOT_EXIST: the requested ID.' },
    var_name: { type: 'string', description: 'With REQUEST_VARIABLE_MISSING and REQUEST_CONFUSING_VAR.' },
    queue_id: { type: 'string', description: 'With BAD_EVENT_QUEUE_ID.' },
    'retry-after': { type: 'number', description: 'With RATE_LIMIT_HIT and SERVICE_UNAVAILABLE: seconds to wait.' },
    limit: {
      type: 'object',
      description: 'With RATE_LIMIT_HIT: the limit that was exceeded.',
      required: ['name', 'requests', 'seconds'],
      properties: { name: { type: 'string' }, requests: { type: 'integer' }, seconds: { type: 'integer' } },
    },
  },
}
