import assert from 'node:assert/strict'
import test from 'node:test'
import { loaded } from '../../../web/texts/loaded.ts'
import { numbered } from '../../../web/texts/numbered.ts'
import { english, parameterTypes, translated } from './texts-of.ts'

const AMOUNT = 1_234_567

test('every text writes a large number with the separators of its language', (t) => {
  t.after(() => {
    delete loaded.locale
  })
  const numeric = [...parameterTypes].filter(([, types]) => types.includes('number'))
  assert.ok(numeric.length > 50)
  for (const [language, texts] of new Map([['en', english], ...translated])) {
    loaded.locale = () => language
    const written = AMOUNT.toLocaleString(language)
    assert.notEqual(written, String(AMOUNT))
    let shown = 0
    for (const [path, types] of numeric) {
      const { text } = numbered({ text: texts.get(path) as (...values: unknown[]) => string })
      const made = text(...types.map((type) => (type === 'number' ? AMOUNT : type.endsWith('[]') ? ['name'] : 'name')))
      assert.ok(!made.includes(String(AMOUNT)), `${language} ${path}: ${made}`)
      if (made.includes(written)) shown += 1
    }
    assert.ok(shown > 50, `${language}: ${shown}`)
  }
})

test('numbers below a thousand stay numbers, and plural forms are chosen by value', () => {
  const texts = numbered({
    is: (count: number) => (count === 1 ? 'one' : 'more'),
    inside: { of: (count: number) => `${new Intl.PluralRules('pl').select(count)} ${count > 2000}` },
    list: [(count: number) => `${count}`],
  })
  assert.equal(texts.is(1), 'one')
  assert.equal(texts.inside.of(1002), 'few false')
  assert.equal(texts.list[0]!(2026), (2026).toLocaleString())
})
