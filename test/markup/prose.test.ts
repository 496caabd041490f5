import assert from 'node:assert/strict'
import test from 'node:test'
import type { MarkupContext } from '../../src/core/markup/context.ts'
import { parsed, render } from '../../src/core/markup/render/render.ts'

const context: MarkupContext = {
  users: new Map(),
  groups: new Map(),
  streams: new Map(),
  customEmoji: new Map(),
  images: new Map(),
  linkifiers: [],
  realmUrl: 'https://chat.example.com',
  translateEmoticons: true,
}

test('prose that skips the parser renders as the parser would', () => {
  const pieces = [
    'a',
    'Zb',
    'é',
    '字',
    '7',
    '１',
    ' ',
    '  ',
    ',',
    ';',
    '?',
    '!',
    "'",
    '-',
    '--',
    '---',
    '. ',
    '.',
    'www',
    'com',
  ]
  let seed = 42
  const next = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % n
  }
  let taken = 0
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: 1 + next(12) }, () => pieces[next(pieces.length)]).join('')
    if (text.trim() === '') continue
    const short = render(text, context)
    assert.deepEqual(short, parsed(text, context), JSON.stringify(text))
    if (short.html === `<p>${text}</p>`) taken++
  }
  assert.ok(taken > 5000, `premise: enough of them are prose (${taken})`)
})
