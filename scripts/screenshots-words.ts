import type { Page } from 'playwright-core'
import { texts as pageTexts } from '../src/http/page-texts/en.ts'
import { pageTextsIn } from '../src/http/page-texts/languages.ts'
import { first } from '../web/texts/en/first.ts'
import { pages } from '../web/texts/en/pages.ts'
import { pieces } from '../web/texts/en/pieces.ts'
import { translations } from '../web/texts/languages.ts'
import type { Language } from '../web/texts/plural.ts'

type Name = string | RegExp
interface Options {
  name?: Name
  [key: string]: unknown
}

/** An English text and its translation. */
type Pair = readonly [english: string, translated: string]

/** Stands for a name or number in a text. */
const VALUE = '\u0001'
/** The pattern of a text. The browser gives a no-break space as a space. */
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')

/** Each English text with its translation, with a mark where a name or number stands. */
function* pairs(english: unknown, translated: unknown): Generator<Pair> {
  if (typeof english === 'function') {
    const values = Array.from({ length: english.length }, () => VALUE)
    try {
      yield* pairs(english(...values), (translated as typeof english)(...values))
    } catch {
      // Some texts take lists and choices, and name no control.
    }
  } else if (typeof english === 'string') {
    if (typeof translated === 'string') yield [english, translated]
  } else if (english !== null && typeof english === 'object') {
    for (const [key, text] of Object.entries(english))
      yield* pairs(text, (translated as Record<string, unknown>)?.[key])
  }
}

/**
 * Returns the pattern that finds an English name in the language. A name that is only a part of texts, where that is
 * allowed, finds the entire texts. Unknown names, such as a person's, stay unchanged.
 */
function patternOf(all: readonly Pair[], name: Name, isExact: boolean): Name {
  const found = all.flatMap(([english, translated]) => {
    if (typeof name !== 'string') return name.test(english) ? [escaped(translated).replaceAll(VALUE, '.*')] : []
    const match = new RegExp(`^${escaped(english).replaceAll(VALUE, '(.+)')}$`, 'i').exec(name)
    // A text that is only a value says nothing.
    if (!match || english.replaceAll(VALUE, '').trim() === '') return []
    return [escaped(translated).replaceAll(VALUE, () => `.?${escaped(match[1]!)}.?`)]
  })
  if (found.length === 0 && typeof name === 'string' && !isExact) {
    const containing = all.filter(([english]) => english.includes(name))
    found.push(...containing.map(([, translated]) => escaped(translated).replaceAll(VALUE, '.*')))
  }
  if (found.length === 0) return name
  const one = `(?:${[...found, typeof name === 'string' ? escaped(name) : name.source].join('|')})`
  return new RegExp(isExact ? `^${one}$` : one, 'i')
}

/** Finds controls by their English names on a page in another language. */
export async function inWordsOf(page: Page, language: Language): Promise<void> {
  if (language === 'en') return
  const files = await translations[language]()
  const rest = await files.rest()
  const all = [
    ...pairs(first, files.first),
    ...pairs(pages, rest[0].pages),
    ...pairs(pieces, rest[1].pieces),
    ...pairs(pageTexts, await pageTextsIn(language)),
  ] as const
  // Both classes are shared by all pages of the process, which are in the same language.
  for (const { prototype } of [page.constructor, page.locator('*').constructor]) {
    const { getByRole, getByLabel, getByText } = prototype
    prototype.getByRole = function (role: string, { name, ...options }: Options = {}) {
      const found = name !== undefined && { name: patternOf(all, name, options.exact === true) }
      return getByRole.call(this, role, { ...options, ...found })
    }
    for (const [method, find] of Object.entries({ getByLabel, getByText })) {
      prototype[method] = function (name: Name, options: Options = {}) {
        return find.call(this, patternOf(all, name, options.exact === true), options)
      }
    }
  }
}
