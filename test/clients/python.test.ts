import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { testServer } from '../../src/testing/index.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

// Debian's, where there is one: other ones may be programs that look for a version first.
const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path)) ?? 'python3'
const run = promisify(execFile)
const isThere = await run(python, ['--version']).then(
  () => true,
  () => false,
)

test('a Python program speaks like the official bindings: uploads, polls, bot storage, webhook', {
  skip: isThere ? false : 'there is no python3',
}, async () => {
  using folder = new TemporaryFolder()
  await using server = await testServer({ people: { ann: {}, echo: { bot: true } } })
  const files = (['ann', 'echo'] as const).map((name) => {
    const file = join(folder.path, `${name}.zuliprc`)
    writeFileSync(file, server.zuliprc(name))
    return file
  })
  const hook = `${server.url}/api/v1/external/slack_incoming?api_key=${server.echo.key}&stream=general&topic=deploys`
  const script = new URL('bindings.py', import.meta.url).pathname
  const { stdout } = await run(python, ['-I', script, ...files, hook])
  assert.deepEqual(stdout.trim().split('\n').length, 15, stdout)
})
