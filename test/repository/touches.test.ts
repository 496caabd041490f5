import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { root } from '../../scripts/imports.ts'

const generated = /(?:src\/index\.ts|client\/operations\.ts|^web\/texts\/)/

test('the last example of each recipe touches as many files as CONTRIBUTING.md says', () => {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const rows = [...text.matchAll(/^\| an? .*? \| (\d+) \| `([^`]+)`(?: in `([^`]+)`)? \|$/gm)]
  assert.ok(rows.length >= 5)
  for (const [, promised, example, folder] of rows) {
    const pattern = new RegExp(`(?<!\\w)${example}(?!\\w)`, 'i')
    const touched = (folder ? [folder] : ['src', 'web']).flatMap((place) => filesNaming(place, pattern))
    assert.equal(touched.length, Number(promised), `${example}: ${touched.join(', ')}`)
  }
})

function filesNaming(place: string, pattern: RegExp): string[] {
  return (readdirSync(join(root, place), { recursive: true }) as string[])
    .map((file) => join(place, file))
    .filter((file) => /\.tsx?$/.test(file) && !generated.test(file))
    .filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))
}
