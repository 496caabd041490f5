import assert from 'node:assert/strict'
import test from 'node:test'
import { compileGrammars } from '../../src/core/markup/code/highlight.ts'

test('compiles the grammar of each block once, also in quotations', () => {
  const text = '```ada\na\n```\n> ~~~ {.Brainfuck}\n> +\n> ~~~\n``` nothing-known\n```\n```ada\n```\n```\na\n```'
  assert.deepEqual([...compileGrammars(text)], ['ada', 'brainfuck'])
  assert.deepEqual([...compileGrammars(text)], [])
})
