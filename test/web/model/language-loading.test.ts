import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { parseAst } from 'vite'
import { root, webFiles, webImports } from '../../../scripts/imports.ts'

const drawn = webFiles.filter((file) => /^web\/(?:view|model)\//.test(file))
const sourceOf = (file: string): string => readFileSync(`${root}/${file}`, 'utf8')

/** The files of the first script: those that its entry imports, and those that they import. */
function firstScript(): ReadonlySet<string> {
  const found = new Set(['web/view/main.tsx'])
  for (const file of found)
    for (const { from, to, typesOnly, names } of webImports)
      if (from === file && !typesOnly && names !== '' && to.startsWith('web/')) found.add(to)
  return found
}

/** The texts that a file reads when it is evaluated, and not in a function. */
function textsReadAtOnce(code: string, file: string): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (typeof value !== 'object' || value === null || !('type' in value)) return
    const node = value as { type: string; object?: { type: string; name?: string }; start: number; end: number }
    if (/Function/.test(node.type)) return
    if (node.type === 'MemberExpression' && node.object?.name === 'texts') found.push(code.slice(node.start, node.end))
    for (const [name, child] of Object.entries(node)) if (name !== 'parent') visit(child)
  }
  visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body)
  return found
}

test('the checks find early imports and texts', () => {
  assert.deepEqual(textsReadAtOnce('const a = { b: texts.c.d }; const e = () => texts.f.g', 'a.ts'), ['texts.c'])
  assert.ok(firstScript().size > 100)
  assert.ok(!firstScript().has('web/view/settings/settings.tsx'))
})

test('every part that is loaded later waits for the texts of its language', () => {
  const waits =
    /(?:afterFirstView|inLanguage|later|loadPart|onDemand)\((?:async )?\(\) => (?:\(await )?$|^const load = \(\) => $|^export const loadTools = \(\) => $/
  const early = drawn.flatMap((file) =>
    sourceOf(file)
      .split('\n')
      .filter((line) => !/^\s*(?:\*|\/\/)/.test(line))
      .flatMap((line) => {
        const [before, after] = line.replaceAll(/typeof import\(/g, '').split(/\bimport\((?=')/)
        // Styles and the recognition of swipes have no texts.
        if (after === undefined || /\.css'|swipe\.ts'|sound\.ts'/.test(after)) return []
        return waits.test(before!.trimEnd() + (before!.endsWith(' ') ? ' ' : '')) ? [] : [`${file}: ${line.trim()}`]
      }),
  )
  assert.deepEqual(early, [])
})

test('the first script reads no text before the language is loaded', () => {
  const early = [...firstScript()].flatMap((file) =>
    textsReadAtOnce(sourceOf(file), file).map((path) => `${file}: ${path}`),
  )
  assert.deepEqual(early, [])
})
