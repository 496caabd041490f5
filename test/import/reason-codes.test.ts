import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { root } from '../../scripts/imports.ts'
import { reasonCode } from '../../src/core/organization/imports/reason-codes.ts'
import { pages } from '../../web/texts/en/pages.ts'

/** The sentences in the code: arguments of `leftOut` and `changed`, and members of records. */
const written =
  /(?:leftOut|changed)\([^()?]*?, (['"`])(.*?)\1[,)]|reason: (['"])(.*?)\3|\? (['"])((?:it|a Slack|Slack) .*?)\5|leftOut\((['"`])([^'"`]*(?:'t [^'"`]*)?)\7\)/g

const sentences = ['src/import/readers', 'src/core/organization/imports'].flatMap((folder) =>
  readdirSync(`${root}/${folder}`)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(`${root}/${folder}/${file}`, 'utf8').matchAll(written)])
    .map((match) => (match[2] ?? match[4] ?? match[6] ?? match[8])!.replace(/\$\{[^}]*\}/g, '9')),
)

test('every reason in the report of an import has a code', () => {
  assert.ok(new Set(sentences).size > 45)
  assert.deepEqual(
    sentences.filter((sentence) => reasonCode(sentence) === undefined),
    [],
    'Add them in src/core/organization/imports/reason-codes.ts',
  )
  assert.equal(reasonCode('it tastes of soup'), undefined)
})

test('every code is the code of a sentence, and has a text in the page', () => {
  const used = new Set(sentences.map(reasonCode))
  used.add('only_link')
  used.add('not_downloaded')
  assert.deepEqual(
    Object.keys(pages.importReasons).filter((code) => !(used as Set<string | undefined>).has(code)),
    [],
  )
})
