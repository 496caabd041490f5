import type { JsonSchema } from '@valibot/to-json-schema'
import { errorCodes } from '../../core/errors.ts'
import { type PlanEntry, planOf } from '../decode.ts'
import { statusOf } from '../responses.ts'
import type { AnyAction, Method } from '../route-types.ts'
import { type AnySchema, isOptional } from '../schema-kinds.ts'
import { jsonSchemaOf, parameterSchema } from './schemas.ts'

export interface OperationPlace {
  id: string
  tag: string
  method: Method
  /** Parameters in the path, and what may stand for each. */
  path: ReadonlyMap<string, readonly AnySchema[]>
  /** What the action calls them. */
  names: readonly string[]
}

/** An operation of the document: an action under its method and path. */
export function operationOf(action: AnyAction, { id, tag, method, path, names }: OperationPlace): object {
  const plan = planOf(action.params)
  const schemas = entriesOf(action)
  const given = plan.entries.filter(({ name }) => !names.includes(name))
  const inBody = method !== 'GET'
  const parameters = [
    ...[...path].map(([name, forms]) => pathParameter(name, forms)),
    ...(inBody ? [] : given.map((entry) => queryParameter(entry, schemas))),
  ]
  const body = inBody ? requestBody(given, plan.file?.name, schemas) : undefined
  return {
    operationId: id,
    tags: [tag],
    summary: action.summary,
    security: action.role === 'visitor' ? [] : [{ basicAuth: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { 200: success(action), ...refusals(action) },
  }
}

type Schemas = Readonly<Record<string, AnySchema>>
export const entriesOf = (action: AnyAction): Schemas => (action.params as unknown as { entries: Schemas }).entries

/** Whether a value is written as JSON where others are plain text. */
const isStructured = ({ kinds }: PlanEntry): boolean => kinds.has('array') || kinds.has('object') || kinds.has('any')

function pathParameter(name: string, schemas: readonly AnySchema[]) {
  const forms = schemas.map(parameterSchema)
  const [only] = forms
  const { description, ...schema } = forms.length === 1 ? only! : { anyOf: forms, description: undefined }
  return { name, in: 'path', required: true, ...(description !== undefined && { description }), schema }
}

function queryParameter(entry: PlanEntry, schemas: Schemas) {
  const { description, ...schema } = parameterSchema(schemas[entry.name]!)
  return {
    name: entry.name,
    in: 'query',
    ...(description !== undefined && { description }),
    ...(!entry.optional && { required: true }),
    ...(isStructured(entry) ? { content: { 'application/json': { schema } } } : { schema }),
  }
}

/** Parameters as a form or as one JSON object; a file comes in a multipart form. */
function requestBody(entries: readonly PlanEntry[], file: string | undefined, schemas: Schemas) {
  if (entries.length === 0 && file === undefined) return undefined
  const properties = Object.fromEntries(entries.map(({ name }) => [name, parameterSchema(schemas[name]!)]))
  const names = entries.filter(({ optional }) => !optional).map(({ name }) => name)
  const object = (more: Record<string, JsonSchema> = {}, moreNames: readonly string[] = []) => {
    const required = [...names, ...moreNames]
    return { type: 'object', properties: { ...properties, ...more }, ...(required.length > 0 && { required }) }
  }
  // In a form lists and objects are JSON; all else is text.
  const encoding = Object.fromEntries(
    entries.filter(isStructured).map(({ name }) => [name, { contentType: 'application/json' }]),
  )
  const form = (schema: object) => ({ schema, ...(Object.keys(encoding).length > 0 && { encoding }) })
  if (file === undefined) {
    const content = { 'application/json': { schema: object() }, 'application/x-www-form-urlencoded': form(object()) }
    return { ...(names.length > 0 && { required: true }), content }
  }
  const description = parameterSchema(schemas[file]!).description
  const bytes = { type: 'string', contentMediaType: 'application/octet-stream', ...(description && { description }) }
  const needed = isOptional(schemas[file]!) ? [] : [file]
  return {
    required: needed.length + names.length > 0,
    content: { 'multipart/form-data': form(object({ [file]: bytes as JsonSchema }, needed)) },
  }
}

/** What every answer has, and the members of this one. */
function success({ result }: AnyAction) {
  const members = jsonSchemaOf(result)
  const base = {
    result: { type: 'string', const: 'success' },
    msg: { type: 'string', const: '' },
    ignored_parameters_unsupported: {
      type: 'array',
      items: { type: 'string' },
      description: 'Parameters that were sent and that this operation does not have.',
    },
  }
  const schema = {
    type: 'object',
    required: ['result', 'msg', ...(members.required ?? [])],
    properties: { ...base, ...members.properties },
  }
  return { description: 'Success', content: { 'application/json': { schema } } }
}

/** Codes that any request may be answered with. */
const common = ['BAD_REQUEST', 'RATE_LIMIT_HIT', 'INTERNAL_ERROR', 'STORAGE_FULL'] as const
const ofBodies = ['TOO_LARGE', 'UNREADABLE_BODY'] as const
const ofAccounts = ['INVALID_API_KEY', 'USER_DEACTIVATED'] as const

/** By status, the codes that the operation answers with. */
function refusals({ errors = [], role }: AnyAction): Record<string, object> {
  const codes = new Map<number, Set<string>>()
  for (const code of [...common, ...ofBodies, ...(role === 'visitor' ? [] : ofAccounts), ...errors]) {
    const status = statusOf[errorCodes[code]]
    codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  const answer = (description: string) => ({
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  })
  const byStatus = [...codes]
    .sort(([a], [b]) => a - b)
    .map(([status, names]) => [status, answer([...names].join(', '))])
  return { ...Object.fromEntries(byStatus), default: answer('Any other refusal') }
}
