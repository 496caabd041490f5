import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/http/routes/api.ts'
import * as library from '../../src/index.ts'

const routed = Object.entries(routes).flatMap(([path, row]) =>
  Object.entries(row).map(([method, action]) => ({ route: `${method} ${path}`, action })),
)
const exported = new Map<unknown, string>(Object.entries(library).map(([name, value]) => [value, name]))

test('the library exports every action that has a route', () => {
  assert.deepEqual(
    routed.filter(({ action }) => !exported.has(action)).map(({ route }) => route),
    [],
  )
})

test('every exported action has a route', () => {
  const actions = [...exported].filter(([value]) => typeof value === 'function' && 'params' in value)
  const reached = new Set<unknown>(routed.map(({ action }) => action))
  assert.deepEqual(
    actions.filter(([action]) => !reached.has(action)).map(([, name]) => name),
    [],
  )
})

test("every action's name matches its export", () => {
  for (const { action } of routed) assert.equal(action.name, exported.get(action))
})
