import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { parseAst } from 'vite'
import { root, webFiles } from '../../../scripts/imports.ts'
import { first } from '../../../web/texts/en/first.ts'
import { pages } from '../../../web/texts/en/pages.ts'
import { pieces } from '../../../web/texts/en/pieces.ts'
import { pluralOf } from '../../../web/texts/plural.ts'

/** Attributes of elements and components that people read or hear. */
const read = new Set([
  ...['title', 'alt', 'placeholder', 'aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext'],
  ...['label', 'about', 'action', 'text'],
])
/** Names of keys and parts of addresses are the same in every language. */
const keys = /^(?:[a-z]|Enter|Ctrl\+Enter|[/?]\S+)$/

interface Node {
  type: string
  [key: string]: unknown
}

/** The texts for people that stand in a file itself. */
function literals(code: string, file: string): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (typeof value !== 'object' || value === null || !('type' in value)) return
    const node = value as Node
    if (node.type === 'JSXAttribute' && read.has(String((node.name as Node).name))) found.push(...textsIn(node.value))
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      found.push(...(node.children as Node[]).flatMap(textsIn))
    if (node.type === 'Literal' && isSentence(node.value)) found.push(String(node.value))
    for (const [name, child] of Object.entries(node)) if (name !== 'parent') visit(child)
  }
  visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body)
  const shown = [...new Set(found.map((text) => text.trim()))]
  return shown.filter((text) => /\p{L}/u.test(text) && !keys.test(text))
}

/** All literal text of a child or an attribute: alone, in braces, in a template or in a choice. */
function textsIn(value: unknown): string[] {
  const node = value as Node | null
  if (node?.type === 'JSXExpressionContainer') return textsIn(node.expression)
  if (node?.type === 'Literal' || node?.type === 'JSXText') return typeof node.value === 'string' ? [node.value] : []
  if (node?.type === 'TemplateLiteral')
    return (node.quasis as { value: { cooked: string } }[]).map((one) => one.value.cooked)
  if (node?.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(textsIn)
  if (node?.type === 'LogicalExpression') return [node.left, node.right].flatMap(textsIn)
  return []
}

/** Two words and the capital of a sentence, wherever they stand. */
const isSentence = (value: unknown): boolean => typeof value === 'string' && /^[A-Z“][\p{L}'’]+ \p{L}/u.test(value)

const drawn = webFiles.filter((file) => /^web\/(?:view|model)\//.test(file))

test('the check finds texts wherever they can occur', () => {
  const code = `const a = <p title="One" x={\`two\`}>{b ? 'three' : c}<i aria-label={d ? 'Four' : \`five \${e}\`}>Six</i></p>; f('Seven words')`
  assert.deepEqual(literals(code, 'a.tsx').sort(), ['Four', 'One', 'Seven words', 'Six', 'five', 'three'].sort())
})

test('every text of the page is in the catalog', () => {
  assert.ok(drawn.length > 150)
  const found = drawn.flatMap((file) =>
    literals(readFileSync(`${root}/${file}`, 'utf8'), file).map((text) => `${file}: ${text}`),
  )
  assert.deepEqual(found, [])
})

test('the first script uses texts as texts.view.key, which the build shortens', () => {
  const known = new Set(
    Object.entries(first).flatMap(([view, texts]) => Object.keys(texts).map((key) => `${view}.${key}`)),
  )
  const used = new Set<string>()
  for (const file of drawn) {
    const code = readFileSync(`${root}/${file}`, 'utf8')
    if (!/^import \{ texts \}/m.test(code)) continue
    const body = code.replace(/^import .*$/gm, '')
    const uses = [...body.matchAll(/(?<![\w.])texts\b([.\w]*)/g)].map(([, path]) =>
      path!.split('.').slice(1, 3).join('.'),
    )
    for (const path of uses) {
      assert.ok(known.has(path), `${file} uses texts.${path}`)
      used.add(path)
    }
  }
  assert.deepEqual(
    [...known].filter((path) => !used.has(path)),
    [],
  )
})

test('every lazily loaded text is used', () => {
  const code = drawn.map((file) => readFileSync(`${root}/${file}`, 'utf8')).join('\n')
  // Their texts are used by the names of other things.
  const tables =
    /Settings$|^(?:choices|sounds|problems|refusals|auditThings|auditActs|mailKinds|mailFailures|import(?:Kinds|Reasons))$/
  for (const [name, catalogue] of Object.entries({ pageTexts: pages, pieceTexts: pieces })) {
    const unused = Object.entries(catalogue).flatMap(([view, texts]) =>
      tables.test(view)
        ? []
        : Object.keys(texts).flatMap((key) => (code.includes(`${name}.${view}.${key}`) ? [] : [`${view}.${key}`])),
    )
    assert.deepEqual(unused, [])
  }
})

test("a number selects the language's plural form", () => {
  const english = pluralOf('en')
  assert.deepEqual(
    [0, 1, 3, 5].map((count) => english(count, { one: 'one', other: 'other' })),
    ['other', 'one', 'other', 'other'],
  )
  const polish = pluralOf('pl')
  assert.deepEqual(
    [0, 1, 3, 5].map((count) => polish(count, { one: 'one', few: 'few', many: 'many', other: 'other' })),
    ['many', 'one', 'few', 'many'],
  )
})
