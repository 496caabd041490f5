import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import test from 'node:test'

const folder = new URL('../../docs/screenshots/', import.meta.url)
const MOST_BYTES = 2_000_000

test("the documents' screenshots are small in total, and the README shows one", () => {
  const names = readdirSync(folder)
  const bytes = names.reduce((sum, name) => sum + statSync(new URL(name, folder)).size, 0)
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`)
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const shown = [...readme.matchAll(/\]\(docs\/screenshots\/([^)]+)\)/g)].map(([, name]) => name!)
  assert.equal(shown.length, 1)
  for (const name of shown) assert.ok(names.includes(name), name)
})
