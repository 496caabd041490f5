import type { JsonSchema } from '@valibot/to-json-schema'
import { type PlanEntry, planOf } from '../decode.ts'
import type { AnyAction, Method } from '../route-types.ts'
import { type AnySchema, isOptional, type SchemaParts } from '../schema-kinds.ts'
import { isOfProxy } from '../sign-in/proxy-headers.ts'
import { parameterSchema } from './schemas.ts'

export function entriesOf(action: AnyAction): Readonly<Record<string, AnySchema>> {
  const { entries = {} }: SchemaParts = action.params
  return entries
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: true
  description?: string
  schema?: object
  content?: object
}

/** Returns whether a value is encoded as JSON. */
const isStructured = ({ kinds }: PlanEntry): boolean => kinds.has('array') || kinds.has('object') || kinds.has('any')

const parameter = (
  name: string,
  where: Parameter['in'],
  { description, ...schema }: JsonSchema,
  { required = false, structured = false } = {},
): Parameter => ({
  name,
  in: where,
  ...(required && { required }),
  ...(description !== undefined && { description }),
  ...(structured ? { content: { 'application/json': { schema } } } : { schema }),
})

/**
 * Describes a path parameter. If paths that OpenAPI treats as one have several forms of it, any of them is allowed.
 */
export function pathParameter(name: string, schemas: readonly AnySchema[]): Parameter {
  const forms = schemas.map(parameterSchema)
  return parameter(name, 'path', forms.length === 1 ? forms[0]! : { anyOf: forms }, { required: true })
}

/** Parameters of a request without a body, which are in the query. */
export const queryParameters = (action: AnyAction, entries: readonly PlanEntry[]): Parameter[] =>
  entries.map((entry) =>
    parameter(entry.name, 'query', parameterSchema(entriesOf(action)[entry.name]!), {
      required: !entry.optional,
      structured: isStructured(entry),
    }),
  )

/** Returns whether the header is read. For other methods, a repetition creates nothing twice. */
export const takesKey = (action: AnyAction, method: Method): boolean =>
  method === 'POST' && action.idempotencyKey !== undefined

const idempotencyKey = parameter('Idempotency-Key', 'header', {
  type: 'string',
  pattern: '^[\\x20-\\x7e]{1,255}$',
  description: 'Requests repeated with the same key within 24 hours run only once and get the same response.',
})

/** Parameters that a request has in its headers. */
export const headerParameters = (action: AnyAction, method: Method): Parameter[] => [
  ...Object.entries(action.headers ?? {})
    .filter(([, header]) => !isOfProxy(header))
    .map(([name, header]) => parameter(header, 'header', parameterSchema(entriesOf(action)[name]!))),
  ...(takesKey(action, method) ? [idempotencyKey] : []),
]

/** Parameters in a body: as a form or as one JSON object; a file comes in a multipart form. */
export function requestBody(action: AnyAction, entries: readonly PlanEntry[], define: (schema: object) => object) {
  const schemas = entriesOf(action)
  const { file } = planOf(action.params)
  const whole = (action.body?.types ?? []).map((type) => [type, { schema: { type: 'string' } }] as const)
  if (entries.length === 0 && !file && whole.length === 0) return undefined
  const properties = Object.fromEntries(entries.map(({ name }) => [name, parameterSchema(schemas[name]!)]))
  const required = entries.filter(({ optional }) => !optional).map(({ name }) => name)
  // In a form, lists and objects are JSON and everything else is text.
  const structured = entries
    .filter(isStructured)
    .map(({ name }) => [name, { contentType: 'application/json' }] as const)
  const encoding = structured.length > 0 ? { encoding: Object.fromEntries(structured) } : {}
  if (file) {
    const field = action.file?.field ?? file.name
    const { description } = parameterSchema(schemas[file.name]!)
    const one = { type: 'string', contentMediaType: 'application/octet-stream' }
    const form = action.file?.atMost === undefined ? one : { type: 'array', items: one }
    const bytes = { ...form, ...(description && { description }) }
    const needed = isOptional(schemas[file.name]!) ? required : [...required, field]
    const schema = objectOf({ ...properties, [field]: bytes as JsonSchema }, needed)
    return { required: needed.length > 0, content: { 'multipart/form-data': { schema, ...encoding } } }
  }
  const schema = define(objectOf(properties, required))
  return {
    ...(required.length > 0 && { required: true }),
    content: {
      'application/json': { schema },
      'application/x-www-form-urlencoded': { schema, ...encoding },
      ...Object.fromEntries(whole),
    },
  }
}

const objectOf = (properties: Record<string, JsonSchema>, required: readonly string[]) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})
