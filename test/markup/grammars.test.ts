import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import type { HLJSApi } from 'highlight.js'
import { compileGrammars } from '../../src/core/markup/code/highlight.ts'
import { highlighter } from '../../src/core/markup/lazy.ts'
import { requireHighlighter } from '../../src/core/markup/packages.ts'

const compiledIn = (text: string, defaultLanguage?: string) =>
  [...compileGrammars(text, defaultLanguage)].filter((id) => id !== undefined)

test('loads no grammars for quotes, spoilers, formulas and unnamed blocks', () => {
  const text = '```quote\na\n```\n```spoiler b\nc\n```\n```math\nd\n```\n```\ne\n```'
  assert.deepEqual([...compileGrammars(text)], [])
})

test('loads the grammars in many steps, so that other work can run in between', () => {
  const steps = [...requireHighlighter()].length
  assert.ok(steps > 100, `${steps} steps`)
})

test('compiles the grammar of each block once, also in quotations', () => {
  const text = '```ada\na\n```\n> ~~~ {.Brainfuck}\n> +\n> ~~~\n``` nothing-known\n```\n```ada\n```\n```\na\n```'
  assert.deepEqual(compiledIn(text), ['ada', 'brainfuck'])
  assert.deepEqual(compiledIn(text), [])
})

test("compiles the grammar of the organization's default language", () => {
  assert.deepEqual(compiledIn('```\nx = 1\n```', 'Lua'), ['lua'])
})

test('finds the same grammar for each name and alias as the whole package', () => {
  const loaded = highlighter()
  const namesOf = ({ getLanguage }: HLJSApi, ids: readonly string[]) => ids.map((id) => [id, getLanguage(id)?.name])
  const ids = loaded.listLanguages().flatMap((id) => [id, ...(loaded.getLanguage(id)!.aliases ?? [])])
  const before = namesOf(loaded, ids)
  // Registers all grammars again, in the package's order.
  const all: HLJSApi = createRequire(import.meta.url)('highlight.js')
  assert.deepEqual(all.listLanguages(), loaded.listLanguages())
  assert.deepEqual(namesOf(all, ids), before)
})
