import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Script } from 'node:vm'
import { testServer } from '../../src/testing/index.ts'
import { clientBuilt, newPage, signIn } from './browser.ts'
import { browserTest } from './browser-test.ts'

const KIB = 1024
const root = new URL('../../dist/web', import.meta.url)

/** The files that the page itself names: its scripts and styles. */
const named = (): string[] =>
  [...readFileSync(`${root.pathname}/index.html`, 'utf8').matchAll(/(?:src|href)="\.(\/web\/[^"]+)"/g)].map(
    ([, path]) => path!,
  )

test('the first script is at most 75 KiB compressed, and the entire page at most 110', async () => {
  await clientBuilt()
  const loaded = named()
  const sizeOf = (path: string) => readFileSync(`${root.pathname}${path}.br`).length
  const scripts = loaded.filter((path) => path.endsWith('.js')).reduce((sum, path) => sum + sizeOf(path), 0)
  const all = loaded.reduce((sum, path) => sum + sizeOf(path), sizeOf('/index.html'))
  assert.ok(scripts > 10 * KIB && scripts <= 75 * KIB, `${scripts} bytes of script`)
  assert.ok(all <= 110 * KIB, `${all} bytes`)
})

test('the first script is a plain one, which browsers compile when they store it', async () => {
  await clientBuilt()
  assert.doesNotMatch(readFileSync(`${root.pathname}/index.html`, 'utf8'), /type="module"/)
  const [script] = named().filter((path) => path.endsWith('.js'))
  // Throws for a module.
  new Script(readFileSync(`${root.pathname}${script}`, 'utf8'))
})

browserTest('the first screen loads only the page, its script and its styles', async (t) => {
  await using server = await testServer({ web: true })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  const loaded: string[] = []
  page.on('response', (response) => loaded.push(new URL(response.url()).pathname))
  await signIn(page, server.hamlet)
  const ofClient = new Set(loaded.filter((path) => path.startsWith('/web/')))
  assert.deepEqual([...ofClient].sort(), named().sort())
})
