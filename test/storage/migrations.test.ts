import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import test from 'node:test'
import { migrations } from '../../src/storage/migrate.ts'

test('lists every migration in the folder in date order', () => {
  const folder = new URL('../../src/storage/migrations', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => basename(path))
  const dated = files.filter((file) => /^\d{4}-\d\d-\d\d-/.test(file)).map((file) => file.replace('.ts', ''))
  const names = migrations.map(({ name }) => name)
  assert.deepEqual([...names].sort(), dated.sort())
  const days = names.map((name) => name.slice(0, 10))
  assert.deepEqual(days, [...days].sort())
})
