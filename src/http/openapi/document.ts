import { API_VERSION } from '../../core/kernel/base/limits.ts'
import { groupBy } from '../../core/kernel/base/lists.ts'
import { nextTurn } from '../../core/kernel/base/timers.ts'
import { type AnyAction, type Method, methods, type Routes, type Section } from '../route-types.ts'
import { KEY_PARAMETER } from '../sign-in/credentials.ts'
import { version } from '../version.ts'
import { operationOf } from './operation.ts'
import { entriesOf } from './request.ts'
import { errorSchema } from './responses.ts'
import { namedSchemas } from './schemas.ts'

const about = `The API of chat-server, which is compatible with Zulip ${API_VERSION}. GET requests have their parameters in
the query. Other requests can have them in the body, as a form or a JSON object, or in the query. In queries and forms,
lists and objects are encoded as JSON.`

/** Returns the API below a base path as an OpenAPI 3.1 document, computed from the routes and their schemas. */
export async function openApiDocument(sections: readonly Section[], base = '') {
  const schemas: Record<string, object> = { ...namedSchemas(), Error: errorSchema }
  const define = (name: string, schema: object) => {
    schemas[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }
  const idOf = uniqueIds()
  const paths: Record<string, Record<string, object>> = {}
  for (const { tag, routes, prefix = '' } of sections) {
    for (const rows of rowsByShape(routes)) {
      // The whole document takes about 100 ms, so it yields to other work between paths.
      await nextTurn()
      const { path } = rows[0]!
      const operations = methods.flatMap((method) => {
        const [first, ...others] = actionsOf(rows, method)
        if (!first) return []
        const forms = namesIn(path).map(
          (name, i) => [name, [first, ...others].map((each) => each.schemaAt(i))] as const,
        )
        const place = { id: idOf(first.action), tag, method, path: new Map(forms), names: first.names, define }
        return [[method.toLowerCase(), operationOf(first.action, place)] as const]
      })
      paths[prefix + templateOf(path)] = Object.fromEntries(operations)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'chat-server', version: version(), description: about },
    servers: [{ url: base || '/' }],
    tags: sections.map(({ tag: name }) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        basicAuth: { type: 'http', scheme: 'basic', description: 'Email address and API key' },
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'API key' },
        apiKey: { type: 'apiKey', in: 'query', name: KEY_PARAMETER },
      },
      schemas,
    },
  }
}

/**
 * Returns a function that makes operation ids: the action's name, with a number for further routes of the same action.
 */
function uniqueIds(): (action: AnyAction) => string {
  const counts = new Map<string, number>()
  return ({ name }) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}${count}`
  }
}

interface PathRow {
  path: string
  row: Routes[string]
}

/**
 * Groups paths that differ only in the name of a parameter, because OpenAPI treats them as one: /users/{user_id}
 * includes /users/{email}.
 */
const rowsByShape = (routes: Routes): Iterable<PathRow[]> =>
  groupBy(
    Object.entries(routes).map(([path, row]): PathRow => ({ path, row })),
    ({ path }) => path.replace(/(\*\*)?:\w+(\([^)]*\))?/g, '{}'),
  ).values()

/** The actions of a method under paths of one shape. */
const actionsOf = (rows: readonly PathRow[], method: Method) =>
  rows.flatMap(({ path, row }) => {
    const action = row[method]
    const names = namesIn(path)
    return action ? [{ action, names, schemaAt: (i: number) => entriesOf(action)[names[i]!]! }] : []
  })

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
const templateOf = (path: string): string => path.replace(/(?:\*\*)?:(\w+)(\([^)]*\))?/g, '{$1}')
