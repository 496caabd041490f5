import assert from 'node:assert/strict'
import test from 'node:test'
import {
  chooseHours,
  followSettings,
  hasDayHours,
  languageFor,
  listOf,
  locale,
  namesList,
  spokenFor,
} from '../../../web/model/state/language.ts'

test("finds the page's language for a language of a browser or an account", () => {
  const known: Record<string, string> = {
    ...{ en: 'en', 'en-gb': 'en', 'en-US': 'en', de: 'de', 'de-AT': 'de', 'es-419': 'es', 'fr-CA': 'fr' },
    ...{ pt: 'pt-br', 'pt-PT': 'pt-br', 'pt-br': 'pt-br' },
    ...{ zh: 'zh-hans', 'zh-CN': 'zh-hans', 'zh-SG': 'zh-hans', 'zh-Hans-HK': 'zh-hans', 'zh-hans': 'zh-hans' },
  }
  for (const [code, language] of Object.entries(known)) assert.equal(spokenFor(code), language, code)
  for (const code of ['zh-TW', 'zh-hant', 'zh-HK', 'fa', 'tlh', '', null, undefined])
    assert.equal(spokenFor(code), undefined, String(code))
})

test("the account's language decides, then the organization's, then the browser's", (t) => {
  const { languages } = navigator
  t.after(() => Object.defineProperty(navigator, 'languages', { value: languages, configurable: true }))
  const browser = (...codes: string[]) =>
    Object.defineProperty(navigator, 'languages', { value: codes, configurable: true })

  browser('fr-CA', 'en')
  assert.equal(languageFor({ own: 'de', organization: 'en' }), 'de')
  assert.equal(languageFor({ own: 'en-gb', organization: 'en' }), 'en')
  // English is a choice where new accounts get another language, and otherwise may be nobody's choice.
  assert.equal(languageFor({ own: 'en', organization: 'de' }), 'en')
  assert.equal(languageFor({ own: 'en', organization: 'en' }), 'fr')
  // Another app's language that the page doesn't speak.
  assert.equal(languageFor({ own: 'fa', organization: 'de' }), 'de')
  assert.equal(languageFor({ own: 'fa', organization: 'fa' }), 'fr')
  browser('tlh', 'pt-PT')
  assert.equal(languageFor({ own: 'en', organization: 'en' }), 'pt-br')
  browser('tlh')
  assert.equal(languageFor({ own: 'en', organization: 'en' }), 'en')
})

test('lists are written as in the language of the page', (t) => {
  const before = locale.value
  t.after(() => {
    locale.value = before
  })
  const shown = (code: string) => {
    locale.value = code
    const names = ['Ann', 'Bob', 'Cid']
    return [listOf(names), listOf(names, { type: 'disjunction' }), namesList(names.slice(1))]
  }
  assert.deepEqual(shown('en'), ['Ann, Bob, and Cid', 'Ann, Bob, or Cid', 'Bob, Cid'])
  assert.deepEqual(shown('ru'), ['Ann, Bob и Cid', 'Ann, Bob или Cid', 'Bob, Cid'])
  assert.deepEqual(shown('ja'), ['Ann、Bob、Cid', 'Ann、Bob、またはCid', 'Bob、Cid'])
})

test("the browser's region decides how times are written until somebody chooses a language or a format", (t) => {
  const { languages, language } = navigator
  const before = locale.value
  const browser = (codes: readonly string[], code = codes[0]) => {
    Object.defineProperty(navigator, 'languages', { value: codes, configurable: true })
    Object.defineProperty(navigator, 'language', { value: code, configurable: true })
  }
  t.after(() => {
    browser(languages, language)
    locale.value = before
  })
  const follow = (own: string, organization: string) => followSettings({ own, organization }, { isStored: true })
  for (const [code, dayHours, shown] of [
    ['en-US', false, 'en-US'],
    ['en-GB', true, 'en-GB'],
    // The page doesn't speak it.
    ['sv-SE', true, 'en-SE'],
    ['sv', false, 'en'],
  ] as const) {
    browser([code])
    follow('en', 'en')
    assert.equal(locale.value, shown)
    assert.equal(hasDayHours(false), dayHours, code)
    assert.equal(hasDayHours(true), true)
  }
  browser(['en-GB'])
  for (const [own, organization] of [
    ['en', 'de'],
    ['en-gb', 'en'],
  ] as const) {
    follow(own, organization)
    assert.equal(hasDayHours(false), false, `${own} ${organization}`)
  }
  follow('en', 'en')
  chooseHours()
  assert.equal(hasDayHours(false), false)
})
