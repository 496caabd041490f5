import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import { errorCodes } from '../core/errors.ts'
import { API_VERSION } from '../core/limits.ts'
import { planOf } from './decode.ts'
import { statusOf } from './responses.ts'
import { type AnyAction, methods, pathNames, type Routes } from './route-types.ts'
import type { AnySchema } from './schema-kinds.ts'

const config: ConversionConfig = { target: 'openapi-3.0', typeMode: 'input', errorMode: 'ignore' }

/** The API as an OpenAPI 3.0 document, computed from the routes and their schemas. */
export function openApiDocument(routes: Routes, prefix: string) {
  const paths: Record<string, Record<string, object>> = {}
  const shapes = new Set<string>()
  for (const [path, row] of Object.entries(routes)) {
    const names = pathNames(path)
    const operations: Record<string, object> = {}
    for (const method of methods) {
      const action = row[method]
      if (action) operations[method.toLowerCase()] = operation(action, names)
    }
    // To OpenAPI /users/{user_id} and /users/{email} are the same path: the first of them is told.
    const shape = path.replace(/:\w+(\([^)]*\))?/g, '{}')
    if (shapes.has(shape)) continue
    shapes.add(shape)
    const template = prefix + path.replace(/:(\w+)(\([^)]*\))?/g, '{$1}')
    paths[template] = { ...paths[template], ...operations }
  }
  return {
    openapi: '3.0.3',
    info: { title: 'chat-server', version: API_VERSION },
    paths,
    components: {
      securitySchemes: {
        basicAuth: { type: 'http', scheme: 'basic', description: 'E-mail address and API key' },
      },
      schemas: {
        Success: {
          type: 'object',
          required: ['result', 'msg'],
          properties: {
            result: { type: 'string', enum: ['success'] },
            msg: { type: 'string' },
            ignored_parameters_unsupported: { type: 'array', items: { type: 'string' } },
          },
        },
        Error: {
          type: 'object',
          required: ['result', 'msg', 'code'],
          properties: {
            result: { type: 'string', enum: ['error'] },
            msg: { type: 'string' },
            code: { type: 'string', enum: Object.keys(errorCodes) },
          },
        },
      },
    },
  }
}

function operation(action: AnyAction, inPath: ReadonlySet<string>): object {
  const plan = planOf(action.params)
  const entries = (action.params as unknown as { entries: Record<string, AnySchema> }).entries
  const parameters = plan.entries.map(({ name, encoding, optional }) => {
    const { $schema, ...schema } = toJsonSchema(entries[name]!, config)
    const required = inPath.has(name) || !optional
    return {
      name,
      in: inPath.has(name) ? 'path' : 'query',
      ...(required && { required }),
      ...(encoding === 'text' || inPath.has(name) ? { schema } : { content: { 'application/json': { schema } } }),
    }
  })
  return {
    summary: action.summary,
    description: 'Parameters may also be sent in a form (application/x-www-form-urlencoded or multipart/form-data).',
    ...(action.role === 'visitor' ? { security: [] } : { security: [{ basicAuth: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(plan.file !== undefined && { requestBody: fileBody(plan.file.name, plan.file.optional) }),
    responses: responses(action),
  }
}

const fileBody = (name: string, optional: boolean) => ({
  required: !optional,
  content: {
    'multipart/form-data': {
      schema: { type: 'object', required: [name], properties: { [name]: { type: 'string', format: 'binary' } } },
    },
  },
})

const answer = (description: string, name: 'Success' | 'Error') => ({
  description,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
})

/** By status, the codes this action answers with beside those of any request. */
function responses({ errors = [], role }: AnyAction): Record<string, object> {
  const codes = new Map<number, string[]>([[400, ['BAD_REQUEST']]])
  if (role !== 'visitor') codes.set(401, ['INVALID_API_KEY'])
  for (const code of errors) {
    const status = statusOf[errorCodes[code]]
    codes.set(status, [...new Set([...(codes.get(status) ?? []), code])])
  }
  const refusals = [...codes].map(([status, names]) => [status, answer(names.join(', '), 'Error')] as const)
  return { 200: answer('Success', 'Success'), ...Object.fromEntries(refusals) }
}
