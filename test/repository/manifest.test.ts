import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { publishedManifest } from '../../scripts/release/manifest.ts'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

test('the published package.json contains nothing only this repository uses', () => {
  const published = publishedManifest(manifest, undefined)
  const names = ['name', 'version', 'description', 'type', 'license', 'keywords', 'engines', 'bin', 'exports', 'files']
  const needed = ['sideEffects', 'dependencies', 'optionalDependencies', 'peerDependencies', 'peerDependenciesMeta']
  assert.deepEqual(Object.keys(published), [...names, ...needed])
})

test('the published package.json links to the released repository', () => {
  const { repository, bugs, homepage } = publishedManifest(manifest, 'https://example.com/owner/chat/')
  assert.deepEqual(repository, { type: 'git', url: 'git+https://example.com/owner/chat.git' })
  assert.deepEqual([bugs, homepage], ['https://example.com/owner/chat/issues', 'https://example.com/owner/chat#readme'])
  assert.throws(() => publishedManifest(manifest, 'git@example.com:owner/chat'))
})
