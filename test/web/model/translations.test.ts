import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { root } from '../../../scripts/imports.ts'
import type { Language } from '../../../web/texts/plural.ts'
import { offered } from '../../../web/texts/spoken.ts'
import { type Catalog, english, parameterTypes, type Text, translated } from './texts-of.ts'

const counts = [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000]

/** A placeholder for a name, an address or another text. */
const nameAt = (i: number): string => `⟦${i}⟧`

const values: Readonly<Record<string, (i: number, count: number) => unknown>> = {
  string: nameAt,
  number: (_, count) => count,
  'number | string': (_, count) => count,
  boolean: () => true,
  'readonly string[]': (i) => [nameAt(i), '⟦another⟧'],
}

const typesOf = (path: string): readonly string[] => parameterTypes.get(path) ?? []

/** A text with names and a number in it. */
function filled(text: Text, path: string, count: number): string {
  if (typeof text === 'string') return text
  const given = typesOf(path).map((type, i) => values[type]!(i, count))
  return (text as (...given: unknown[]) => string)(...given)
}

/** Checks each text of each translation, and names those that fail. */
function everyText(isRight: (own: string, english: string, path: string, language: Language) => boolean): void {
  const wrong: string[] = []
  for (const [language, texts] of translated)
    for (const [path, text] of english)
      for (const count of typesOf(path).some((type) => type.startsWith('number')) ? counts : [5]) {
        const own = filled(texts.get(path)!, path, count)
        if (!isRight(own, filled(text, path, count), path, language)) wrong.push(`${language} ${path}: ${own}`)
      }
  assert.deepEqual([...new Set(wrong)], [])
}

const words = (text: string): number => text.replace(/⟦\w+⟧/g, '').match(/\p{L}{2,}/gu)?.length ?? 0

test('the page offers each language that has a folder', () => {
  const folders = readdirSync(`${root}/web/texts`, { withFileTypes: true }).filter((one) => one.isDirectory())
  assert.deepEqual(folders.map(({ name }) => name).sort(), [...offered].sort())
  assert.ok(english.size > 1500 && parameterTypes.size > 150)
  for (const language of translated.keys()) {
    assert.ok(existsSync(`${root}/web/texts/${language}/terms.md`), language)
    for (const part of ['first', 'pages', 'pieces']) {
      const code = readFileSync(`${root}/web/texts/${language}/${part}.ts`, 'utf8')
      const used = [...code.matchAll(/(?:pluralOf|Format)\('([\w-]+)'/g)].map(([, name]) => name!.toLowerCase())
      assert.deepEqual([...new Set([language, ...used])], [language])
    }
  }
})

test('a translation has the texts of English and no others', () => {
  const paths = (texts: Catalog) => [...texts.keys()].sort()
  for (const [language, texts] of translated) assert.deepEqual(paths(texts), paths(english), language)
})

test('each text uses its names and numbers, and has a form for every number', () => {
  everyText((own) => !/undefined|NaN|\bnull\b|\[object/.test(own))
  everyText((own, english) => [...english.matchAll(/⟦\w+⟧/g)].every(([name]) => own.includes(name)))
  // A form for one or two may say it in a word.
  everyText((own, english) => {
    const numbers = english.match(/(?<!⟦)\b\d+/g)?.filter((number) => Number(number) > 2) ?? []
    const shown = own.replace(/(?<=\d)[.,\s٬](?=\d{3})/g, '')
    return numbers.every((number) => shown.includes(number))
  })
})

/** Names of products, standards and accounts, and examples, which are the same in most languages. */
const sameEverywhere =
  /Example$|^pages\.(?:choices\.(?:google|googleBlobs|twitter)|providers\.standard|channelEmail\.gateway)$|^first\.actions\.markAllReadKey$|^pages\.shortcuts\.keys\.|^pieces\.insert\.keyHint$/
/** Languages whose letters are not Latin share no words with English. */
const otherLetters = /[\u0400-\u04ff\u0600-\u06ff\u3040-\u9fff]/

test('no sentence is left in English', () => {
  everyText((own, english, path, language) => {
    if (own !== english || sameEverywhere.test(path)) return true
    const hasOtherLetters = otherLetters.test(String(translated.get(language)!.get('pages.common.remove')))
    return words(own) < (hasOtherLetters ? 1 : 4)
  })
})

test('a translation keeps tags, options, placeholders and the spaces between parts', () => {
  const fixed = (text: string) => text.match(/<\/?\w+>|%\(\w+\)s|--[a-z-]+|\(\?P<id>\S*?\)|:\w+:/g)?.sort() ?? []
  everyText((own, english) => String(fixed(own)) === String(fixed(english)))
  everyText((own, english) => own.split('{').length === english.split('{').length)
  // Full-width punctuation has its own space, and prepositions of a date are not words in each language.
  const spaced = /^[\s（：、，;:.,]|^$/
  everyText((own, english) => !english.startsWith(' ') || spaced.test(own) || otherLetters.test(own))
})

test('what opens a form ends with an ellipsis, and a question with its mark', () => {
  everyText((own, english) => english.endsWith('…') === own.endsWith('…'))
  everyText((own, english, path) => !/Title$/.test(path) || english.endsWith('?') === /[?？؟]$/.test(own))
})
