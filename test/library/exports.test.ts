import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/http/routes.ts'
import * as library from '../../src/index.ts'

test('every action that has a route is exported by the library', () => {
  const exported = new Set<unknown>(Object.values(library))
  const missing = Object.entries(routes).flatMap(([path, row]) =>
    Object.entries(row)
      .filter(([, action]) => !exported.has(action))
      .map(([method]) => `${method} ${path}`),
  )
  assert.deepEqual(missing, [])
})
