import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { files, root } from '../../scripts/imports.ts'

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')
const below = (folder: string): string[] => files.filter((file) => file.startsWith(`${folder}/`))

/** Flags on which a partial index depends. */
const flags = new Set(
  below('src/storage/migrations').flatMap((file) =>
    [...textOf(file).matchAll(/where: \['(\w+)', [01]\]/g)].map(([, column]) => column!),
  ),
)

test('writes flags used by partial indexes into the query instead of binding them', () => {
  assert.ok(flags.has('read_by_sender') && flags.has('failed'))
  const bound = new RegExp(`'(?:\\w+\\.)?(?:${[...flags].join('|')})', '!?=', (?:[01]|flag\\()`)
  assert.match(".where('topic.failed', '=', 0)", bound)
  const found = below('src').flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, i) => (bound.test(line) ? [`${file}:${i + 1}`] : [])),
  )
  assert.deepEqual(found, [], 'isSet and isUnset (src/storage/flags.ts) write it')
})
