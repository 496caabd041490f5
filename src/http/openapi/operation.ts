import { planOf } from '../decode.ts'
import type { AnyAction, Method } from '../route-types.ts'
import type { AnySchema } from '../schema-kinds.ts'
import { headerParameters, pathParameter, queryParameters, requestBody } from './request.ts'
import { responsesOf } from './responses.ts'

export interface OperationPlace {
  id: string
  tag: string
  method: Method
  /** Parameters in the path, and the action's names for each. */
  path: ReadonlyMap<string, readonly AnySchema[]>
  /** The action's own names for them. */
  names: readonly string[]
  /** Adds a named schema to the document and returns a reference to it. */
  define(name: string, schema: object): object
}

/** Name of the security scheme for each place of a key. One in the path is a parameter. */
const securityOf = {
  basic: 'basicAuth',
  query: 'apiKey',
  bearer: 'bearerAuth',
  path: undefined,
  page: undefined,
} as const

/** An operation of the document: an action under its method and path. */
export function operationOf(action: AnyAction, place: OperationPlace): object {
  const { id, tag, method, path, names, define } = place
  const { headers = {}, credentials = 'basic', role, spectators } = action
  const scheme = securityOf[credentials]
  const given = planOf(action.params).entries.filter(({ name }) => !names.includes(name) && !(name in headers))
  const parameters = [
    ...[...path].map(([name, schemas]) => pathParameter(name, schemas)),
    ...(method === 'GET' ? queryParameters(action, given) : []),
    ...headerParameters(action, method),
  ]
  const body =
    method === 'GET' ? undefined : requestBody(action, given, (schema) => define(`${capitalized(id)}Request`, schema))
  return {
    operationId: id,
    tags: [tag],
    summary: action.summary,
    // The empty requirement means that it also works without an account if the organization allows it.
    security: role === 'visitor' || !scheme ? [] : [{ [scheme]: [] }, ...(spectators ? [{}] : [])],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responsesOf(action, method, body !== undefined),
  }
}

const capitalized = (name: string): string => name[0]!.toUpperCase() + name.slice(1)
