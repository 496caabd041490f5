import assert from 'node:assert/strict'
import test from 'node:test'
import { errorCodes } from '../../src/core/errors.ts'
import { planOf } from '../../src/http/decode.ts'
import { routes } from '../../src/http/index.ts'
import { openApiDocument } from '../../src/http/openapi.ts'
import { statusOf } from '../../src/http/responses.ts'
import { methods, pathNames } from '../../src/http/route-types.ts'
import { onBothTargets } from './targets.ts'

const rows = Object.entries(routes).flatMap(([path, row]) =>
  methods.flatMap((method) => (row[method] ? [{ path, method, action: row[method] }] : [])),
)

test('every operation has a summary, known errors, and the parameters of its path', () => {
  assert.ok(rows.length > 0)
  for (const { path, method, action } of rows) {
    const where = `${method} ${path}`
    assert.match(action.summary, /^[A-Z].{3,80}[^.]$/, where)
    for (const code of action.errors ?? []) assert.ok(code in errorCodes, `${where}: ${code}`)
    const { names } = planOf(action.params)
    for (const name of pathNames(path)) assert.ok(names.has(name), `${where} takes no ${name}`)
  }
})

test('every code has a status', () => {
  for (const kind of Object.values(errorCodes)) assert.ok(statusOf[kind] >= 400)
})

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: object
  content?: object
}
interface Operation {
  summary: string
  parameters?: Parameter[]
  responses: Record<string, object>
}

onBothTargets('the document says all that, to anyone', {}, async ({ ask }) => {
  const { status, body } = await ask('/openapi.json')
  assert.equal(status, 200)
  assert.deepEqual(body, JSON.parse(JSON.stringify(openApiDocument(routes, '/api/v1'))))
  assert.match(body.openapi, /^3\.0\./)
  let operations = 0
  for (const [path, item] of Object.entries<Record<string, Operation>>(body.paths)) {
    assert.match(path, /^\/api\/v1(\/[\w{}]+)+$/)
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const operation of Object.values(item)) {
      operations++
      const parameters = operation.parameters ?? []
      assert.equal(new Set(parameters.map(({ name }) => name)).size, parameters.length)
      assert.deepEqual(
        parameters
          .filter((p) => p.in === 'path')
          .map((p) => p.name)
          .sort(),
        inPath.sort(),
      )
      for (const parameter of parameters) {
        assert.notEqual(parameter.schema === undefined, parameter.content === undefined, `${path} ${parameter.name}`)
        if (parameter.in === 'path') assert.equal(parameter.required, true)
      }
      assert.ok(operation.responses['200'])
    }
  }
  // OpenAPI takes templates that differ only in the names for one path; /users/{user_id} stands for /users/{email} too.
  const shape = (path: string) => path.replace(/:\w+(\([^)]*\))?|\{\w+\}/g, '{}')
  assert.equal(operations, new Set(rows.map(({ path, method }) => `${method} ${shape(path)}`)).size)
  assert.equal(new Set(Object.keys(body.paths).map(shape)).size, Object.keys(body.paths).length)
  // OpenAPI 3.0 forbids an empty list of required members.
  assert.equal(JSON.stringify(body).includes('"required":[]'), false)
})
