import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { operationsFile, operationsText } from '../../scripts/client-operations.ts'

test('the operations table matches the routes (npm run operations)', () => {
  assert.equal(readFileSync(operationsFile, 'utf8'), operationsText())
})

test('the client runs in a browser and stays small', async () => {
  // A module of Node, or any package, would fail to resolve.
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: ['src/client/index.ts'],
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2023',
    write: false,
    metafile: true,
  })
  assert.deepEqual(
    Object.keys(metafile.inputs)
      .filter((file) => !file.startsWith('src/client/'))
      .sort(),
    [
      'accounts/default-description',
      'kernel/errors',
      'kernel/roles',
      'users/avatars/drawn-avatar',
      'users/unknown-user',
    ].map((name) => `src/core/${name}.ts`),
  )
  const size = gzipSync(outputFiles[0]!.contents).length
  assert.ok(size < 17_408, `${size} bytes compressed`)
})
