// Runs in the browser, in place of a translation.

const letters: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ö', u: 'ü', c: 'ç', n: 'ñ', s: 'š' }

/** Tags and placeholders, which stay unchanged. */
const FIXED = /(<[^>]*>|\{[^}]*\}|%\(\w+\)s)/

const accented = (text: string): string =>
  text
    .split(FIXED)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/[a-z]/g, (letter) => letters[letter] ?? letter)))
    .join('')

/** Words that make a text 40 % longer. */
const PADDING = 'löñg wörds ímprövé the çhéck and fíll thís líñé '

function marked(text: string): string {
  const [, before, inner, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text)!
  const more = Math.round(inner!.replace(/<[^>]*>/g, '').length * 0.4)
  return `${before}⟦${accented(inner!)}${PADDING.repeat(9)
    .slice(0, more)
    .replace(/^/, more > 3 ? ' ' : '')
    .trimEnd()}⟧${after}`
}

/** Replaces every English text by a longer one with accents, between marks. */
export function pseudo<T>(value: T): T {
  if (typeof value === 'string') return marked(value) as T
  if (typeof value === 'function') return ((...given: unknown[]) => marked(value(...given))) as T
  return Object.fromEntries(Object.entries(value as object).map(([name, text]) => [name, pseudo(text)])) as T
}
