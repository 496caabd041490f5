import { errorCodes } from '../../core/errors.ts'
import { API_VERSION } from '../../core/limits.ts'
import { groupBy } from '../../core/lists.ts'
import { type AnyAction, methods, type Routes } from '../route-types.ts'
import type { Section } from '../routes/api.ts'
import type { AnySchema } from '../schema-kinds.ts'
import { entriesOf, operationOf } from './operation.ts'
import { namedSchemas } from './schemas.ts'

const about = `The API of chat-server. Parameters of GET are in the query; those of other methods are in the body, as a
form or as one JSON object, and may be in the query too. In queries and forms lists and objects are JSON.`

/** The API as an OpenAPI 3.1 document, computed from the routes and their schemas. */
export function openApiDocument(sections: readonly Section[], prefix: string) {
  const ids = new Map<string, number>()
  const idOf = ({ name }: AnyAction): string => {
    const count = (ids.get(name) ?? 0) + 1
    ids.set(name, count)
    return count === 1 ? name : `${name}${count}`
  }
  const paths: Record<string, Record<string, object>> = {}
  for (const { tag, routes } of sections) {
    for (const rows of rowsByShape(routes)) {
      const { path } = rows[0]!
      const operations: Record<string, object> = {}
      for (const method of methods) {
        const candidates = rows.flatMap(({ path, row }) => {
          const action = row[method]
          return action ? [{ action, names: namesIn(path) }] : []
        })
        const [first] = candidates
        if (!first) continue
        const forms = namesIn(path).map((name, i): [string, AnySchema[]] => [
          name,
          candidates.map(({ action, names }) => entriesOf(action)[names[i]!]!),
        ])
        const { action, names } = first
        const place = { id: idOf(action), tag, method, path: new Map(forms), names }
        operations[method.toLowerCase()] = operationOf(action, place)
      }
      paths[prefix + templateOf(path)] = operations
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'chat-server', version: API_VERSION, description: about },
    tags: sections.map(({ tag: name }) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        basicAuth: { type: 'http', scheme: 'basic', description: 'E-mail address and API key' },
      },
      schemas: { ...namedSchemas(), Error: errorSchema },
    },
  }
}

/** To OpenAPI paths that differ only in a parameter are one path: /users/{user_id} stands for /users/{email} too. */
const rowsByShape = (routes: Routes) =>
  groupBy(
    Object.entries(routes).map(([path, row]) => ({ path, row })),
    ({ path }) => path.replace(/:\w+(\([^)]*\))?/g, '{}'),
  ).values()

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
const templateOf = (path: string): string => path.replace(/:(\w+)(\([^)]*\))?/g, '{$1}')

const errorSchema = {
  type: 'object',
  required: ['result', 'msg', 'code'],
  properties: {
    result: { type: 'string', const: 'error' },
    msg: { type: 'string', description: 'A sentence for people.' },
    code: { type: 'string', enum: Object.keys(errorCodes) },
    stream: { type: 'string', description: 'With STREAM_DOES_NOT_EXIST: the name that was sent.' },
    stream_id: { type: 'integer', description: 'With STREAM_DOES_NOT_EXIST: the id that was sent.' },
    var_name: { type: 'string', description: 'With REQUEST_VARIABLE_MISSING and REQUEST_CONFUSING_VAR.' },
    queue_id: { type: 'string', description: 'With BAD_EVENT_QUEUE_ID.' },
    'retry-after': { type: 'number', description: 'With RATE_LIMIT_HIT: seconds to wait.' },
  },
}
