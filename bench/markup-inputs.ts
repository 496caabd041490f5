import hljs from 'highlight.js'

/** What people write to one another. */
export const ordinary: readonly string[] = [
  'ok',
  'Thanks! :tada:',
  'I will look at it tomorrow morning, the build is still running.',
  '@**Iago** can you review this? It is in #**design>reviews** since Monday.',
  'see https://github.com/example/project/pull/12345#issuecomment-1 and #4711',
  'Agenda:\n* numbers of the week\n* the **release**\n  * notes\n  * who presses the button\n* other business',
  '> I think we should wait\n\nWhy? The fix is small, and `retry()` covers the rest.',
  '```python\ndef answer(question: str) -> int:\n    """Think for long."""\n    return 42  # at last\n```\nworks here',
  'The bound is $$O(n \\log n)$$, see above.',
  '| who | what |\n|---|---|\n| Iago | server |\n| Othello | docs |',
  'Lunch at <time:2026-11-21T12:00:00Z>? :hamburger: :)',
  'One paragraph that goes on for a while, as they do when somebody explains a problem in depth: first the context, ' +
    'then what was tried, then what happened instead. It has *emphasis*, it has `code`, it mentions @*backend* and it ' +
    'ends with a question, because otherwise nobody would answer.\n\nAnd a second one with an address, example.com/docs, ' +
    'and a smile 🙂.',
  '```spoiler The answer\n42\n```',
  '/me waves :wave:',
  '[report.pdf](/user_uploads/2/ab/cdef/report.pdf) and [photo.png](/user_uploads/2/ab/cdef/photo.png)',
]

const size = 10_000

function fill(unit: string, bytes = size): string {
  return unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes)
}

function between(open: string, inside: string, close: string): string {
  return open + fill(inside, size - open.length - close.length) + close
}

const units: readonly string[] = [
  ...'[]()*_~`$@#:<>!|\\&-+=.,\'"{}^%/?;1a '.split(''),
  '\n',
  '**',
  '***',
  '~~',
  '``',
  '$$',
  '@**',
  '@_**',
  '@*',
  '#**',
  '[[',
  '](',
  '[a](',
  '[](',
  '![',
  '<a',
  '<time:',
  'a*b',
  '*a ',
  '*a_ ',
  '**a ',
  '*a **b ',
  '**x* ',
  '_a ',
  '~~a ',
  '`a ',
  '`` ` ',
  '$$x$$ ',
  '$$x',
  '@**a|1** ',
  '@**Iago** ',
  '#**design>a** ',
  ':smile: ',
  ':a',
  ':aaaaaaaaaaaaaaaaaaaa',
  '🐙',
  '👨‍👩‍👧',
  '👍🏽',
  '🇺🇸',
  '\u200d',
  '\ufe0f',
  '\ud83d',
  ':) ',
  ':)',
  '> ',
  '>\n',
  '> a\n',
  '- ',
  '- a\n',
  '* a\n\n',
  '1. ',
  '1. a\n',
  '1. a\n  - b\n',
  '# ',
  '# a\n',
  '---\n',
  '|',
  '|\n',
  'a|b\n-|-\n',
  '|-',
  '|-|\n',
  'http://',
  'http://a.',
  'a.b.',
  'a.com ',
  'http://a.com/(',
  'http://a.com/[',
  'http://a.com/{',
  'http://a.com/"',
  "http://a.com/'a",
  'http://a.com/..',
  'http://a.com:',
  'https://chat.example.com/#narrow/',
  'a@b',
  'a@b.c ',
  'a@',
  'www.',
  'mailto:',
  '-a.',
  'a-',
  'xn--',
  '#1 ',
  '#1',
  '<a@b.c>',
  '&amp;',
  '&#1;',
  '&a',
  '```\n',
  '````\n',
  '~~~\n',
  '```quote\n',
  '```spoiler a\n',
  '```quote\n```\n',
  '```py\nx\n```\n',
  '```py\n',
  '```math\nx\n```\n',
  '    a\n',
  ' a\n',
  '\t',
  '\ta\n',
  '- a\n\n  ',
  '<time:1> ',
  '<time:x>',
  '<time:jan 1 2020>',
  '[a](/user_uploads/1/a/b.png) ',
  '[a](b "c" ',
  '[a](<b',
  '[x]: y\n',
  '日本語',
  'a\u0000',
]

function nest(open: (level: number) => string, levels: number): string {
  return Array.from({ length: levels }, (_, level) => open(level))
    .join('')
    .slice(0, size)
}

const tex = (source: string) => `\`\`\`math\n${source}\n\`\`\``
const texUnits = [
  'x',
  '{',
  '\\frac{',
  '\\sqrt{',
  '^',
  '^{',
  '_{',
  '\\left(',
  '\\begin{matrix}',
  '&',
  '\\\\',
  '\\overbrace{',
]

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``
const codeLanguages =
  process.env.LANGUAGES === 'all'
    ? hljs.listLanguages()
    : ['python', 'js', 'cpp', 'xml', 'markdown', 'bash', 'sql', 'css', 'php', 'perl']
const codeUnits = [
  '(',
  '"',
  '{',
  '<',
  '/',
  'a ',
  '1.',
  '<a ',
  '/*',
  '`',
  '$',
  '\\',
  'a.b(',
  '#',
  "'",
  '\n',
  '[',
  '  ',
  '-',
  'a:',
  '*',
  '_',
]

/** Inputs of 10,000 bytes, each made to be slow in some way. */
export const adversarial: Readonly<Record<string, string>> = {
  ...Object.fromEntries(units.map((unit) => [JSON.stringify(unit), fill(unit)])),
  ...Object.fromEntries(
    ['[', '(', '<', '{', '*', '**', '`', '~~', '_', '$$'].flatMap((open) => {
      const close = { '[': ']', '(': ')', '<': '>', '{': '}' }[open] ?? open
      return [
        [`${open}…${close}`, fill(open, size / 2) + fill(close, size / 2)],
        [`${open} a ${close}`, fill(`${open}a`, size / 2) + fill(`b${close}`, size / 2)],
        [`http://a.b/${open}${close}`, `http://a.b/${fill(open, size / 2)}${fill(close, size / 2 - 11)}`],
        [`[…](${open})`, `[a](${fill(open, size / 2)}${fill(close, size / 2 - 5)})`],
      ]
    }),
  ),
  'quotes in quotes, many lines': fill(`${fill('>', 90)} a\n`),
  'lists in lists, deeper by line': nest((level) => `${' '.repeat(level * 2)}- a\n`, 140),
  'lists in lists, one line': between('', '- ', 'a'),
  'numbered in numbered': nest((level) => `${' '.repeat(level * 3)}1. a\n`, 110),
  'quote and list in turn': nest(() => '> - ', 2500),
  'quote, list, deeper by line': nest((level) => `${'> - '.repeat(level % 40)}a\n`, 400),
  'wide table': `${fill('a|', 3000)}\n${fill('-|', 3000)}\n${fill('|\n', 4000)}`,
  'square table': `${fill('a|', 60)}\n${fill('-|', 60)}\n${fill(`${fill('b|', 60)}\n`, 9870)}`,
  'narrow table': `a|b\n-|-\n${fill('|\n', 9990)}`,
  'reference definitions': fill('[a]: http://b.c "d"\n'),
  'escapes in a formula': between('$$', '\\$', ''),
  'many kinds of emphasis': fill('*a **b ~~c `d '),
  'spoiler in spoiler': nest((level) => `${'`'.repeat(3 + (level % 40))}spoiler\n`, 1000),
  'url with many marks': between('http://a.com/', 'a.,;!?', ''),
  'url with closed brackets': between('http://a.com/', '([{}])', ''),
  'long domain': between('http://', 'a.', 'com'),
  'long bare domain': between('', 'a.', 'com'),
  'long mail name': between('', 'a.', '@b.com'),
  'long mail host': between('a@', 'b.', 'com'),
  ...Object.fromEntries(
    texUnits.flatMap((unit) => [
      [`tex ${unit}`, tex(fill(unit, 9980))],
      [`tex 2900 ${unit}`, tex(fill(unit, 2900))],
    ]),
  ),
  'tex nested fractions': tex('\\frac{'.repeat(350) + '1}{2}'.repeat(60)),
  'tex nested roots': tex(`${'\\sqrt{'.repeat(400)}x${'}'.repeat(400)}`),
  'tex nested scripts': tex(`${'x^{'.repeat(700)}x${'}'.repeat(700)}`),
  'tex nested delimiters': tex(`${'\\left('.repeat(200)}x${'\\right)'.repeat(200)}`),
  'tex matrix': tex(`\\begin{matrix}${fill('a&', 1300)}\\\\${fill('a&', 1300)}\\end{matrix}`),
  'tex macros': tex('\\def\\a{xx}\\def\\b{\\a\\a}\\def\\c{\\b\\b}\\def\\d{\\c\\c}\\def\\e{\\d\\d}\\e\\e\\e\\e'),
  'tex endless macro': tex('\\def\\a{\\a\\a}\\a'),
  'tex sizes': tex('\\rule{99999em}{99999em}'),
  'tex formulas in text': fill('$$\\frac{a}{b}$$ '),
  'tex formulas in text, roots': fill('$$\\sqrt1$$ '),
  ...Object.fromEntries(
    codeLanguages.flatMap((language) =>
      codeUnits.flatMap((unit) => [
        [`${language} ${JSON.stringify(unit)}`, fenced(language, fill(unit, 9900))],
        [`${language} ${JSON.stringify(unit)} in lines`, fenced(language, fill(`${fill(unit, 59)}\n`, 9900))],
      ]),
    ),
  ),
}
