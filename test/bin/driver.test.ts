import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { TemporaryFolder } from '../temporary-folder.ts'
import { copyOfCommand } from './bundled.ts'
import { run } from './running.ts'

const driver = fileURLToPath(new URL('../../node_modules/better-sqlite3', import.meta.url))

test('explains the fix in one sentence when the SQLite driver has no binary', async () => {
  using folder = new TemporaryFolder()
  // A copy of the driver without its native part, which the command finds before the whole one.
  using copy = await copyOfCommand()
  cpSync(driver, join(copy.path, 'node_modules/better-sqlite3'), {
    recursive: true,
    filter: (path) => !/\/(build|deps|src|prebuilds)$/.test(path),
  })
  const { code, out, err } = await run(folder, ['--port', '0'], {}, copy.file)
  assert.deepEqual([code, out], [1, ''])
  assert.match(
    err,
    /^chat-server: The SQLite driver can't be loaded by Node\.js [\d.]+ on \w+-\w+ \(Cannot find module [^\n]+\)\. Reinstall chat-server, or build the driver in a clone of its repository: npx node-gyp rebuild --directory node_modules\/better-sqlite3\n$/,
  )
})
