import assert from 'node:assert/strict'
import test from 'node:test'
import { searchParts } from '../../src/core/narrow/operators/search.ts'
import { highlighter } from '../../src/core/narrow/search/highlight.ts'
import { joinedPieces, piecesOf, wantedPieces } from '../../src/storage/search/pieces.ts'

const mark = (text: string) => `<span class="highlight">${text}</span>`

const html = (text: string, parts: string[]) => highlighter(parts).html(text)
const plain = (text: string, parts: string[]) => highlighter(parts).plain(text)

test('extracts words and phrases from a search', () => {
  assert.deepEqual(searchParts('one "two  three" FOUR'), ['one', 'two three', 'four'])
  assert.deepEqual(searchParts('one one "unclosed phrase'), ['one', 'unclosed', 'phrase'])
  assert.deepEqual(searchParts('"" " "'), [])
})

test('highlights text only', () => {
  assert.equal(html('<p class="class">class</p>', ['class']), `<p class="class">${mark('class')}</p>`)
  assert.equal(html('<p>a &amp; amp</p>', ['amp']), `<p>a &amp; ${mark('amp')}</p>`)
  assert.equal(html('<p>a &amp; b</p>', ['&']), `<p>a ${mark('&amp;')} b</p>`)
  assert.equal(html('<p>one two</p>', ['one two']), `<p>${mark('one two')}</p>`)
  assert.equal(html('<p>aaa</p>', ['aa']), `<p>${mark('aaa')}</p>`)
  assert.equal(html('<math><mi>x</mi></math>x', ['x']), `<math><mi>x</mi></math>${mark('x')}`)
  assert.equal(html('<p>İstanbul ÄÖ</p>', ['äö']), `<p>İstanbul ${mark('ÄÖ')}</p>`)
  assert.equal(html('<p>😀 東京です</p>', ['東京']), `<p>😀 ${mark('東京')}です</p>`)
  assert.equal(plain('<b> & co', ['b']), `&lt;${mark('b')}&gt; &amp; co`)
  assert.equal(html('<p>x</p>', []), '<p>x</p>')
})

test('a text contains the pieces wanted by any part of it', () => {
  const text = 'the deployment of c++ in 東京タワー 😀! "and" or near( body:hello *^-'
  const pieces = piecesOf(text)
  for (let from = 0; from < text.length; from++) {
    for (let to = from + 1; to <= Math.min(text.length, from + 12); to++) {
      const part = text.slice(from, to)
      if (!part.isWellFormed() || part.trim() === '') continue
      const { whole, beginnings } = wantedPieces([part.trim()])
      for (const piece of whole) assert.ok(pieces.has(piece), part)
      for (const piece of beginnings)
        assert.ok(
          [...pieces].some((p) => p.startsWith(piece)),
          part,
        )
      for (const piece of [...whole, ...beginnings]) assert.match(piece, /^[0-9a-z]+$/)
    }
  }
})

test('joins the same pieces that the set has', () => {
  const texts = [
    '',
    ' ',
    'a',
    'ab 9 abc',
    'c++ in 東京タワー 😀! "and" \ud800 x',
    'one\u3000two\tthree\u2028four \u0085',
    'banana',
  ]
  for (const text of texts)
    assert.deepEqual(new Set(joinedPieces(text).split(' ').filter(Boolean)), piecesOf(text), text)
})
