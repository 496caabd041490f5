import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { TemporaryFolder } from '../temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** An application that serves the page, with this package in its one bundle. */
const application = `
import { openChat } from '${root}src/index.ts'
import { createApp } from '${root}src/http/index.ts'

const chat = await openChat()
const [webFiles] = process.argv.slice(2)
try {
  const app = createApp({ chat, web: true, ...(webFiles && { webFiles }) })
  const page = await app.fetch(new Request('http://localhost/'))
  console.log(JSON.stringify({ page: await page.text() }))
} catch (error) {
  console.log(JSON.stringify({ error: error.message }))
}
await chat.close()
`

test('a bundled application serves the page from the folder it names', async () => {
  using temporary = new TemporaryFolder()
  const folder = temporary.path
  writeFileSync(join(folder, 'package.json'), '{ "name": "application", "type": "module" }')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'page'))
  writeFileSync(join(folder, 'page/index.html'), 'The page')
  const outfile = join(folder, 'dist/server.js')
  await build({
    stdin: { contents: application, resolveDir: root, loader: 'js' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  })
  const start = async (...args: string[]) => JSON.parse((await run(process.execPath, [outfile, ...args])).stdout)
  assert.deepEqual(await start(join(folder, 'page')), { page: 'The page' })
  const { error } = await start()
  assert.match(error, /A bundle can't find the web client's files\. Set the option webFiles to their folder/)
})
