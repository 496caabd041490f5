import assert from 'node:assert/strict'
import test from 'node:test'
import { render } from '../../src/core/markup/render/render.ts'
import { cases } from './cases.ts'
import { context } from './context.ts'
import { withoutFormulas } from './formulas.ts'

for (const [construct, table] of Object.entries(cases)) {
  test(construct, async (t) => {
    for (const [title, content, html] of table) {
      await t.test(title, () => assert.equal(withoutFormulas(render(content, context).html), html))
    }
  })
}

test('the table has at least 200 cases', () => {
  assert.ok(Object.values(cases).flat().length >= 200)
})

const nothingFound = {
  mentionedUserIds: [],
  mentionedGroupIds: [],
  streamWildcard: false,
  topicWildcard: false,
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  isMeMessage: false,
  attachmentPaths: [],
}

const found: Record<string, object> = {
  hello: {},
  '@**Iago** @**King Hamlet|9** @**Iago**': { mentionedUserIds: [5, 9] },
  '@*backend*': { mentionedGroupIds: [3] },
  '@**all**': { streamWildcard: true },
  '@**everyone**': { streamWildcard: true },
  '@**channel**': { streamWildcard: true },
  '@**stream**': { streamWildcard: true },
  '@**topic**': { topicWildcard: true },
  '@_**Iago** @_*backend* @_**all** @_**topic**': {},
  '> @**Iago** @*backend* @**all** @**topic**': {},
  '`@**Iago**`': {},
  '```\n@**all**\n```': {},
  '```spoiler @**Iago**\n@**all**\n```': { mentionedUserIds: [5], streamWildcard: true },
  'https://example.com': { hasLink: true },
  '[a]()': {},
  '#**design**': { hasLink: true },
  '#1': { hasLink: true },
  'me@example.com': { hasLink: true },
  '[a](/user_uploads/1/ab/c%20d.txt)': { hasLink: true, hasAttachment: true, attachmentPaths: ['1/ab/c d.txt'] },
  '> [a](/user_uploads/1/ab/c.png)': { hasLink: true, hasAttachment: true, attachmentPaths: ['1/ab/c.png'] },
  'https://chat.example.com/user_uploads/1/ab/c.png': {
    hasLink: true,
    hasImage: true,
    hasAttachment: true,
    attachmentPaths: ['1/ab/c.png'],
  },
  '/me waves': { isMeMessage: true },
  '/me': {},
  ' /me waves': {},
  '/me waves\n\n* a': {},
}

for (const [content, expected] of Object.entries(found)) {
  test(`detects the features of ${JSON.stringify(content)}`, () => {
    const { html: _, ...rest } = render(content, context)
    assert.deepEqual(rest, { ...nothingFound, ...expected })
  })
}

test('leaves emoticons alone unless the sender wants them converted', () => {
  assert.equal(render(':)', { ...context, translateEmoticons: false }).html, '<p>:)</p>')
})

test("TeX can't link, load or set classes", () => {
  for (const tex of [
    '\\href{https://a.com}{x}',
    '\\url{https://a.com}',
    '\\includegraphics{a.png}',
    '\\htmlClass{a}{x}',
  ]) {
    assert.doesNotMatch(render(`$$${tex}$$`, context).html, /<a |<img|href=|src=|class="a"/)
  }
})

test('formulas have the class names that clients parse, and that stored messages have', () => {
  const { html } = render('$$\\frac{\\sqrt{x}}{2}$$ $$\\hat{x}\\underline{y}$$ $$\\rule{1em}{1em}$$', context)
  const classes = new Set([...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names]) => names!.split(' ')))
  for (const name of ['katex-html', 'base', 'strut', 'accent', 'underline', 'rule', 'sizing']) {
    assert.ok(classes.has(name), name)
  }
  // From KaTeX 0.18.0 on, the others have this prefix too.
  const prefixed = [...classes].filter((name) => name.startsWith('katex-')).sort()
  assert.deepEqual(prefixed, ['katex-html', 'katex-mathml'])
})

test('limits formulas and color in a message', () => {
  const { html } = render('$$x$$ '.repeat(1000), context)
  assert.ok(html.split('class="katex"').length < 200)
  assert.match(html, /<span class="tex-error">\$\$x\$\$<\/span>/)
  const code = render(`\`\`\`js\n${'let a = 1\n'.repeat(900)}\`\`\``, context).html
  assert.ok(code.split('class="k"').length < 700)
})

test('preserves all text in deeply nested quotes, lists and emphasis', () => {
  for (const content of [
    `${'> '.repeat(200)}deep`,
    `${'- '.repeat(200)}deep`,
    `${'*a '.repeat(50)}deep${'*'.repeat(50)}`,
  ]) {
    assert.match(render(content, context).html, /deep/)
  }
})

test('falls back to plain text when the HTML would be disproportionate', () => {
  const custom = new Map([['x', { id: '1', url: `/${'long'.repeat(200)}` }]])
  const { html } = render(':x:'.repeat(1000), { ...context, customEmoji: custom })
  assert.equal(html, `<p>${':x:'.repeat(1000)}</p>`)
})

test('shows no previews in a message with more than 24 links', () => {
  const path = (i: number) => `1/a/${i}.png`
  const images = new Map(Array.from({ length: 25 }, (_, i) => [path(i), { src: `/user_uploads/${path(i)}` }]))
  const pictures = (count: number) => Array.from({ length: count }, (_, i) => `[a](/user_uploads/${path(i)})`).join(' ')
  const shows = (content: string) => {
    const { html, hasImage } = render(content, { ...context, images })
    assert.ok(hasImage)
    return html.includes('message_inline_image')
  }
  assert.ok(shows(pictures(24)))
  assert.ok(!shows(pictures(25)))
  assert.ok(!shows(`${pictures(24)} https://example.com`))
})

test("applies the organization's default language to code blocks without one", () => {
  const python = { ...context, defaultCodeLanguage: 'python' }
  assert.match(render('```\nx\n```', python).html, /data-code-language="Python"/)
  assert.match(render('```js\nx\n```', python).html, /data-code-language="JavaScript"/)
  assert.equal(render('> ```\n> x\n> ```', python).html.includes('"Python"'), true)
})
