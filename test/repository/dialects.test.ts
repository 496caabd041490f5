import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { root } from '../../scripts/imports.ts'
import { onlyOnSqlite } from '../postgres/left-out.js'

const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
const sources = all.filter((file) => /\.(ts|js)$/.test(file) && file !== 'repository/dialects.test.ts')
const textOf = (file: string) => readFileSync(join(root, 'test', file), 'utf8')
const withText = (pattern: RegExp) => sources.filter((file) => pattern.test(textOf(file)))

test('every test skipped on one database gives a reason', () => {
  // These give the reason, so that no test can be left out by a condition of its own.
  const know = ['dialect.ts', 'nodes/nodes.ts', 'postgres/use-throwaways.ts', 'runner/main.ts']
  assert.deepEqual(withText(/DATABASE_URL/).sort(), know)
  assert.deepEqual(withText(/\.skip\(|\{ skip: [^'`}]*\}/), [])
  const reasons = sources.flatMap((file) => [...textOf(file).matchAll(/onlyOnSqlite\(([^)]*)/g)].map(([, is]) => is!))
  assert.ok(reasons.length > 5)
  assert.deepEqual(
    reasons.filter((reason) => !/^('[^']{10,}'|reason: string)$/.test(reason)),
    [],
  )
})

test('folders skipped on PostgreSQL open no database that could run there', () => {
  const folders = Object.keys(onlyOnSqlite)
  assert.deepEqual(
    folders.filter((folder) => !all.some((file) => file.startsWith(`${folder}/`))),
    [],
  )
  // The pages of web/ are the exception, with a reason of their own.
  const left = folders.filter((folder) => folder !== 'web')
  assert.deepEqual(
    withText(/\b(world|testServer|emptyServer)\(|db: ':memory:'|openChat\(\)/).filter((file) =>
      left.some((folder) => file.startsWith(`${folder}/`)),
    ),
    [],
  )
})
