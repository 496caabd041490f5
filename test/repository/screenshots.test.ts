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

test('every screenshot stands in a document with a description, and a script makes it', () => {
  const docs = new URL('../../docs/', import.meta.url)
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))
  const texts = pages.map((path) => readFileSync(new URL(path, docs), 'utf8')).join('\n')
  const shown = new Map(
    [...texts.matchAll(/!\[([^\]]*)\]\([./]*screenshots\/([^)]+)\)/g)].map(([, about, name]) => [name!, about!]),
  )
  const script = readFileSync(new URL('../../scripts/screenshots.ts', import.meta.url), 'utf8')
  for (const name of readdirSync(folder)) {
    assert.ok((shown.get(name)?.length ?? 0) > 15, `${name} has no description in docs/`)
    assert.ok(/^webhook-/.test(name) || script.includes(`'${name}'`), `scripts/screenshots.ts doesn't make ${name}`)
  }
})
