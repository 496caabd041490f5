import assert from 'node:assert/strict'
import test from 'node:test'
import { API_PREFIX, createApp } from '../../src/http/app.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'
import type { AnyAction } from '../../src/http/route-types.ts'
import { sections } from '../../src/http/routes/api.ts'
import { sessionSection } from '../../src/http/routes/session.ts'
import { siteSection } from '../../src/http/routes/site.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { documented, others, type ReferenceOperation } from './reference-operations.ts'

const all = [...documented, ...others]
const wholePath = ({ path }: ReferenceOperation) => (path.startsWith('//') ? path.slice(1) : API_PREFIX + path)
/** Paths below /json repeat the API for signed-in browsers, and are described once. */
const describedPath = (operation: ReferenceOperation) => wholePath(operation).replace(/^\/json\//, `${API_PREFIX}/`)
const shapeOf = (path: string) => path.replace(/(?:\*\*)?:\w+(\([^)]*\))?|\{\w+\}/g, '{}')

/** Every action by its method and the shape of its path. */
const served = new Map<string, AnyAction>()
for (const [prefix, routes] of [
  ...sections.map((one) => [API_PREFIX, one.routes] as const),
  ['', siteSection.routes] as const,
]) {
  for (const [path, row] of Object.entries(routes)) {
    for (const [method, action] of Object.entries(row)) {
      // Of /users/{user_id} and /users/{email} the first stands for both.
      const key = `${method} ${prefix}${shapeOf(path)}`
      if (!served.has(key)) served.set(key, action)
    }
  }
}
const actionOf = (operation: ReferenceOperation) =>
  served.get(`${operation.method} ${shapeOf(describedPath(operation))}`)
const nameOf = (operation: ReferenceOperation) => `${operation.method} ${operation.path}`

test('the table has each operation once', () => {
  assert.equal(new Set(all.map(nameOf)).size, all.length)
  assert.ok(all.length >= 169)
})

test('the table lists the implemented operations and their roles', () => {
  const found = all.map((operation) => {
    const action = actionOf(operation)
    return `${nameOf(operation)} ${action ? (action.role ?? 'anyone') : 'absent'}`
  })
  assert.deepEqual(
    found,
    all.map((operation) => `${nameOf(operation)} ${operation.who}`),
  )
  console.log(`# operations there: ${all.filter(({ who }) => who !== 'absent').length} of ${all.length}`)
})

test('the API document has every implemented operation', async () => {
  const prefixed = sections.map((section) => ({ ...section, prefix: API_PREFIX }))
  const { paths } = await openApiDocument([...prefixed, sessionSection, siteSection])
  const described = new Set(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${shapeOf(path)}`),
    ),
  )
  const missing = all.filter(
    (operation) =>
      operation.who !== 'absent' &&
      operation.method !== 'HEAD' &&
      !described.has(`${operation.method} ${shapeOf(describedPath(operation))}`),
  )
  assert.deepEqual(missing.map(nameOf), [])
})

/** Who is rejected for the role alone, and with which message. */
const refusals: Readonly<Record<string, readonly [who: 'polonius' | 'hamlet' | 'viola', msg: string]>> = {
  member: ['polonius', 'Not allowed for guest users'],
  administrator: ['hamlet', 'Must be an organization administrator'],
  owner: ['viola', 'Must be an organization owner'],
}

async function ask(w: World, operation: ReferenceOperation, who?: Person) {
  const path = wholePath(operation).replace(/\{\w+\}/g, '999999')
  const { method } = operation
  const headers = who && { authorization: `Basic ${Buffer.from(`${who.email}:${who.key}`).toString('base64')}` }
  // The answer to these is to wait.
  const signal = /\/events(\/stream)?$/.test(path) ? AbortSignal.timeout(200) : null
  const response = await createApp({ chat: w.chat, rateLimit: false }).fetch(
    new Request(`http://localhost${path}`, { method, ...(headers && { headers }), signal }),
  )
  const { status } = response
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const body = method !== 'HEAD' && isJson ? await response.json() : {}
  return { status, code: body.code as string | undefined, msg: body.msg as string | undefined }
}

/** After these, the owner can't continue. */
const ending = new Set(['DELETE /users/me', 'POST /users/me/api_key/regenerate', 'POST /realm/deactivate'])

test('every implemented operation accepts its roles and rejects lower ones', async () => {
  const people = { viola: { role: 'administrator' } } as const
  const worlds = [await world({ people })]
  for (const operation of all) {
    if (operation.who === 'absent') continue
    const name = nameOf(operation)
    if (ending.has(name)) worlds.push(await world({ people }))
    const w = worlds.at(-1)!
    if (operation.who !== 'visitor') assert.equal((await ask(w, operation)).status, 401, `${name} without an account`)
    const refusal = refusals[operation.who]
    if (refusal) {
      const { status, msg } = await ask(w, operation, w.person(refusal[0]))
      assert.deepEqual([status, msg], [400, refusal[1]], `${name} by ${refusal[0]}`)
    }
    const { status, msg } = await ask(w, operation, w.people.iago)
    const unknown = msg === 'Unknown path' && !operation.path.startsWith('//')
    assert.ok(status < 500 && status !== 401 && status !== 405 && !unknown, `${name}: ${status} ${msg}`)
    if (ending.has(name)) worlds.push(await world({ people }))
  }
  for (const w of worlds) await w.chat.close()
})

test("answers operations that aren't implemented with 404 or 405", async () => {
  await using w = await world()
  for (const operation of all.filter(({ who }) => who === 'absent')) {
    const { status } = await ask(w, operation, w.people.iago)
    assert.ok(status === 404 || status === 405, `${nameOf(operation)}: ${status}`)
  }
})
