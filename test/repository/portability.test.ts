import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { files, root } from '../../scripts/imports.ts'

const page = readFileSync(join(root, 'docs/internals/portability.md'), 'utf8')
const named = [...page.matchAll(/`([\w./-]+\.ts|[\w-]+(?:\/[\w-]+)*\/)`/g)].map(([, path]) => path!)

test('docs/internals/portability.md names existing files', () => {
  assert.ok(named.length > 30)
  const isThere = (path: string) => ['', 'src', 'src/core'].some((folder) => existsSync(join(root, folder, path)))
  assert.deepEqual(
    named.filter((path) => !isThere(path)),
    [],
  )
})

test('docs/internals/portability.md lists everything a chat keeps in memory', () => {
  const keeps = /= defineService<|= new WeakMap<Chat\b/
  const stateful = files.filter((file) => keeps.test(readFileSync(join(root, file), 'utf8')))
  assert.ok(stateful.length > 5)
  const isListed = (file: string) => named.some((path) => file === `src/core/${path}` || file === `src/${path}`)
  assert.deepEqual(
    stateful.filter((file) => !isListed(file)),
    [],
  )
})
