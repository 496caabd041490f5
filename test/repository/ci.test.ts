import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { parse } from 'yaml'
import { root } from '../../scripts/imports.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const workflow = parse(read('.github/workflows/ci.yml')) as {
  jobs: Record<string, { 'timeout-minutes'?: number; steps: { run?: string }[] }>
}
const commands = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run = '' }) => run.split('\n')))
const texts = [...commands, read('.ci/run'), read('scripts/ci.ts'), read('CONTRIBUTING.md')]

test('every script named by CI and CONTRIBUTING is in package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = texts.flatMap((text) => [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name!))
  assert.ok(new Set(named).size > 10)
  assert.deepEqual(
    named.filter((name) => scripts[name] === undefined),
    [],
  )
})

test('every file run by CI and CONTRIBUTING exists', () => {
  const named = texts.flatMap((text) =>
    [...text.matchAll(/\bnode (?:--import tsx )?((?:scripts|test)\/[\w/.-]+\.(?:ts|js))/g)].map(([, file]) => file!),
  )
  assert.ok(named.length > 3)
  assert.deepEqual(
    named.filter((file) => !existsSync(join(root, file))),
    [],
  )
})

test('every job of the workflow has a timeout', () => {
  const without = Object.entries(workflow.jobs).filter(([, job]) => !(job['timeout-minutes']! > 0))
  assert.deepEqual(without, [])
})
