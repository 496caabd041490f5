import assert from 'node:assert/strict'
import test from 'node:test'
import { codeToNames, emojiCode, emojiNames } from '../../src/core/markup/emoji/catalogue.ts'
import { emojiOfText, emoticonsOfText } from '../../src/core/markup/emoji/in-text.ts'

const known: Record<string, string> = {
  smile: '1f642',
  big_smile: '1f604',
  smiley: '1f603',
  laughing: '1f606',
  joy: '1f602',
  frown: '1f641',
  heart_eyes: '1f60d',
  thinking: '1f914',
  '+1': '1f44d',
  thumbs_up: '1f44d',
  '-1': '1f44e',
  thumbs_down: '1f44e',
  heart: '2764',
  tada: '1f389',
  octopus: '1f419',
  working_on_it: '1f6e0',
  check: '2705',
  check_mark: '2714',
  rocket: '1f680',
  eyes: '1f440',
  wave: '1f44b',
  '100': '1f4af',
  time_ticking: '23f3',
  car: '1f697',
  airplane: '2708',
  hamburger: '1f354',
  flag_united_states: '1f1fa-1f1f8',
  hash: '0023-20e3',
  cat: '1f408',
  gold: '1f947',
  woman_shrugging: '1f937-200d-2640',
  pray: '1f64f',
  like: '1f44d',
}

for (const [name, code] of Object.entries(known)) {
  test(`${name} is ${code}`, () => assert.equal(emojiCode(name), code))
}

test('lists the canonical name first', () => {
  assert.equal(emojiNames('1f642')[0], 'smile')
  assert.equal(emojiNames('1f44d')[0], '+1')
})

test('every code has a name that maps back, and no code has a variation selector', () => {
  for (const [code, names] of codeToNames()) {
    assert.ok(names.length > 0, code)
    assert.match(code, /^[0-9a-f]{4,}(-[0-9a-f]{4,})*$/)
    assert.ok(!code.includes('fe0f'))
    for (const name of names) assert.equal(emojiCode(name), code, name)
  }
})

test('returns nothing for unknown names and codes', () => {
  for (const name of ['', 'nobody', 'constructor', '__proto__', 'toString']) assert.equal(emojiCode(name), undefined)
  assert.deepEqual(emojiNames('0'), [])
})

const codes = (text: string) => emojiOfText(text).map((found) => found.code)

test('finds raw emoji in text with their positions', () => {
  assert.deepEqual(emojiOfText('a 🐙 b'), [{ start: 2, end: 4, code: '1f419', name: 'octopus' }])
  assert.deepEqual(codes('❤️❤'), ['2764'])
  assert.deepEqual(codes('🇺🇸🇫🇷'), ['1f1fa-1f1f8', '1f1eb-1f1f7'])
  assert.deepEqual(codes('#️⃣ 1'), ['0023-20e3'])
  assert.deepEqual(codes('👩‍💻'), ['1f469-200d-1f4bb'])
})

test('finds no emoji in prose, digits and unknown clusters', () => {
  assert.deepEqual(codes('1 # * © 2020 ™ ↔ 日本語'), [])
  assert.deepEqual(codes('👍🏽'), [])
  assert.deepEqual(codes('©️'), ['00a9'])
})

test('recognizes emoticons only when they stand alone', () => {
  const found = (text: string) => emoticonsOfText(text).map((emoticon) => emoticon.code)
  assert.deepEqual(found(':) :( <3 ;) :D :P :o :/ :| (:'), [
    '1f642',
    '1f641',
    '2764',
    '1f609',
    '1f600',
    '1f61b',
    '1f62e',
    '1f615',
    '1f610',
    '1f642',
  ])
  assert.deepEqual(found('http://a b:) a<3b 8:00'), [])
  assert.deepEqual(found('well :), yes'), ['1f642'])
})
