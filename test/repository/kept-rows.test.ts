import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { files, root } from '../../scripts/imports.ts'

// Rows that a send takes from memory: a file that changes them and forgets to say so would have messages sent on old rights.

const kept: readonly (readonly [change: RegExp, report: RegExp])[] = [
  [/(updateTable|insertInto|deleteFrom)\('stream'\)/, /invalidateStream\(/],
  [/(updateTable|deleteFrom)\('topic'\)/, /invalidateTopic\(/],
  [/(insertInto|deleteFrom)\('web_push_subscription'\)/, /notifiedFrom\.invalidate\(/],
]

for (const [change, report] of kept) {
  test(`every file with ${change.source} calls ${report.source}`, () => {
    const changing = files.filter((file) => file.startsWith('src/core/') && change.test(textOf(file)))
    assert.ok(changing.length > 0)
    assert.deepEqual(
      changing.filter((file) => !report.test(textOf(file))),
      [],
    )
  })
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
