import assert from 'node:assert/strict'
import test from 'node:test'
import { eventTypes } from '../../src/core/events/types/table.ts'
import { errorCodes } from '../../src/core/kernel/errors.ts'
import { API_PREFIX } from '../../src/http/app.ts'
import { planOf } from '../../src/http/decode.ts'
import { routes } from '../../src/http/index.ts'
import { statusOf } from '../../src/http/responses.ts'
import { methods, pathNames } from '../../src/http/route-types.ts'
import { sections } from '../../src/http/routes/api.ts'
import { pageSection } from '../../src/http/routes/pages.ts'
import { siteSection } from '../../src/http/routes/site.ts'
import { onBothTargets } from './targets.ts'

const rows = Object.entries(routes).flatMap(([path, row]) =>
  methods.flatMap((method) => (row[method] ? [{ path, method, action: row[method] }] : [])),
)

test('every operation has a summary, known errors and its path parameters', () => {
  assert.ok(rows.length > 0)
  for (const { path, method, action } of rows) {
    const where = `${method} ${path}`
    assert.match(action.summary, /^[A-Z].{3,80}[^.]$/, where)
    for (const code of action.errors ?? []) assert.ok(code in errorCodes, `${where}: ${code}`)
    const { names } = planOf(action.params)
    for (const name of pathNames(path)) assert.ok(names.has(name), `${where} takes no ${name}`)
  }
})

test('exactly the operations that take an Idempotency-Key document it', async () => {
  const { openApiDocument } = await import('../../src/http/openapi/document.ts')
  const { paths } = (await openApiDocument([{ tag: 'all', routes }])) as unknown as Document
  const described = Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, { operationId, parameters = [], responses }]) => {
      const takes = parameters.some((one) => one.in === 'header' && one.name === 'Idempotency-Key')
      assert.equal(responses[409] !== undefined, takes, operationId)
      return takes ? [`${method} ${operationId}`] : []
    }),
  )
  const taking = Object.values(routes).flatMap(({ POST }) => (POST?.idempotencyKey ? [`post ${POST.name}`] : []))
  assert.ok(taking.length > 10)
  assert.deepEqual(described.map((each) => each.replace(/\d+$/, '')).sort(), taking.sort())
})

test('every error code has a status', () => {
  for (const kind of Object.values(errorCodes)) assert.ok(statusOf[kind] >= 400)
})

interface Schema {
  $ref?: string
  description?: string
  required?: string[]
  properties?: Record<string, Schema>
  [keyword: string]: unknown
}
type Content = Record<string, { schema?: Schema }>
interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
  content?: Content
}
interface Operation {
  operationId: string
  tags: string[]
  summary: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
interface Document {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Every reference in a value. */
const references = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to!)

onBothTargets('the document says all that, to anyone', {}, async ({ ask }) => {
  const { status, body } = await ask('/openapi.json')
  assert.match(body.info.version, /^\d+\.\d+\.\d+/)
  assert.deepEqual(body.servers, [{ url: '/' }])
  assert.equal(status, 200)
  const document: Document = body
  assert.match(document.openapi, /^3\.1\./)
  const named = (to: string): Schema => document.components.schemas[to.replace('#/components/schemas/', '')]!
  for (const to of references(document)) assert.ok(named(to), to)

  const ids = new Set<string>()
  const tags = new Set(document.tags.map(({ name }) => name))
  for (const [path, item] of Object.entries(document.paths)) {
    assert.match(path, /^(\/|(\/[\w.{}-]+)+)$/)
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const [method, operation] of Object.entries(item)) {
      const where = `${method} ${path}`
      assert.ok(!ids.has(operation.operationId), operation.operationId)
      ids.add(operation.operationId)
      assert.ok(operation.tags.length === 1 && tags.has(operation.tags[0]!), where)
      const parameters = operation.parameters ?? []
      assert.equal(new Set(parameters.map(({ name }) => name)).size, parameters.length, where)
      assert.deepEqual(
        parameters.filter((p) => p.in === 'path').map((p) => p.name),
        inPath,
        where,
      )
      for (const parameter of parameters) {
        const what = `${where} ${parameter.name}`
        assert.notEqual(parameter.schema === undefined, parameter.content === undefined, what)
        if (parameter.in === 'path') assert.equal(parameter.required, true, what)
        const described = parameter.description ?? JSON.stringify(parameter.schema?.anyOf)
        assert.match(described, /\.$|description/, `${what} has no description`)
      }
      if (method === 'get') assert.equal(operation.requestBody, undefined)
      else checkBody(where, operation, named)
      checkResponses(where, operation)
    }
  }
  const { schemas } = document.components
  for (const name of ['Message', 'StreamMessage', 'DirectMessage', 'User', 'Stream', 'Event', 'Error']) {
    assert.ok(schemas[name], name)
  }
  assert.equal((schemas.Event!.oneOf as unknown[]).length, Object.keys(eventTypes).length)
})

function checkBody(where: string, { requestBody }: Operation, named: (to: string) => Schema): void {
  if (!requestBody) return
  const types = Object.keys(requestBody.content)
  const parameters = ['application/json', 'application/x-www-form-urlencoded']
  assert.ok(types.includes('multipart/form-data') || parameters.every((type) => types.includes(type)), where)
  for (const { schema } of Object.values(requestBody.content)) {
    const { properties = {}, required = [] } = schema!.$ref ? named(schema!.$ref) : schema!
    for (const [name, property] of Object.entries(properties)) {
      assert.match(property.description ?? '', /\.$/, `${where} ${name} has no description`)
    }
    for (const name of required) assert.ok(properties[name], `${where} ${name}`)
  }
}

function checkResponses(where: string, { responses, requestBody }: Operation): void {
  for (const status of ['400', '429', '500', '503', '507', 'default'])
    assert.ok(responses[status], `${where} ${status}`)
  if (requestBody) for (const status of ['413', '415']) assert.ok(responses[status], `${where} ${status}`)
  const good = responses['200'] ?? responses['3XX']
  assert.ok(good, where)
  const answer = good.content?.['application/json']?.schema
  if (answer) assert.deepEqual(answer.required?.slice(0, 2), ['result', 'msg'], where)
}

test("lists every route under its action's name and its noun's tag", async () => {
  const { openApiDocument } = await import('../../src/http/openapi/document.ts')
  const prefixed = sections.map((section) => ({ ...section, prefix: API_PREFIX }))
  const document: Document = JSON.parse(JSON.stringify(await openApiDocument([...prefixed, siteSection, pageSection])))
  const found = new Map(
    Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((operation) => [operation.operationId, operation.tags[0]]),
    ),
  )
  // In OpenAPI /users/{user_id} and /users/{email} are the same path: the first action describes both.
  const byEmail = ['getUserByEmail', 'updateUserByEmail', 'getPresenceByEmail']
  const checked = new Map<string, string>()
  for (const { tag, routes } of [...sections, siteSection, pageSection]) {
    for (const row of Object.values(routes)) {
      for (const method of methods) {
        const name = row[method]?.name
        // Under another noun it has a number after its name.
        if (!name || byEmail.includes(name) || (checked.get(name) ?? tag) !== tag) continue
        checked.set(name, tag)
        assert.equal(found.get(name), tag, name)
      }
    }
  }
})
