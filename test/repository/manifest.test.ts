import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import test from 'node:test'
import { bundleDriver } from '../../scripts/release/driver.ts'
import { publishedManifest } from '../../scripts/release/manifest.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

test('the published package.json contains nothing only this repository uses', () => {
  const published = publishedManifest(manifest, undefined)
  const names = ['name', 'version', 'description', 'type', 'license', 'keywords', 'engines', 'bin', 'exports', 'files']
  const needed = [
    'sideEffects',
    'dependencies',
    'optionalDependencies',
    'peerDependencies',
    'peerDependenciesMeta',
    'bundleDependencies',
  ]
  assert.deepEqual(Object.keys(published), [...names, ...needed])
})

test('the published package.json links to the released repository', () => {
  const { repository, bugs, homepage } = publishedManifest(manifest, 'https://example.com/owner/chat/')
  assert.deepEqual(repository, { type: 'git', url: 'git+https://example.com/owner/chat.git' })
  assert.deepEqual([bugs, homepage], ['https://example.com/owner/chat/issues', 'https://example.com/owner/chat#readme'])
  assert.throws(() => publishedManifest(manifest, 'git@example.com:owner/chat'))
})

test('the published package contains the SQLite driver, which npm has no reason to compile', () => {
  assert.deepEqual(publishedManifest(manifest, undefined).bundleDependencies, ['better-sqlite3'])
  using folder = new TemporaryFolder()
  bundleDriver(folder.path)
  const driver = join(folder.path, 'node_modules/better-sqlite3')
  assert.equal(existsSync(join(driver, 'binding.gyp')), false)
  const binaries = readdirSync(new URL('../../node_modules/better-sqlite3/prebuilds', import.meta.url))
  assert.ok(binaries.length >= 8)
  assert.deepEqual(readdirSync(join(driver, 'prebuilds')).sort(), binaries.sort())
  const { scripts, dependencies } = JSON.parse(readFileSync(join(driver, 'package.json'), 'utf8'))
  assert.deepEqual([scripts.install, dependencies], [undefined, undefined])
  const Database = createRequire(join(folder.path, 'index.js'))('better-sqlite3')
  using database = Object.assign(new Database(':memory:'), { [Symbol.dispose]: () => database.close() })
  assert.deepEqual(database.prepare('select 1 as one').all(), [{ one: 1 }])
})
