import assert from 'node:assert/strict'
import test from 'node:test'
import { chooseSkinTone, emojiText, withSkinTone } from '../../../web/model/writing/skin-tone.ts'

const unicode = (emoji_name: string, emoji_code: string) => ({
  emoji_name,
  emoji_code,
  reaction_type: 'unicode_emoji' as const,
})

test('gives a skin tone to the emoji that have one', (t) => {
  t.after(() => chooseSkinTone('none'))
  const hand = unicode('wave', '1f44b')
  assert.equal(withSkinTone(hand), undefined)
  assert.equal(emojiText(hand), ':wave:')
  chooseSkinTone('mediumDark')
  assert.equal(withSkinTone(hand), '👋🏾')
  assert.equal(emojiText(hand), '👋🏾')
  // With signs that ask for a picture, of several people, and of people at work.
  assert.equal(withSkinTone(unicode('point_up', '261d')), '☝🏾')
  assert.equal(withSkinTone(unicode('woman_running', '1f3c3-200d-2640')), '🏃🏾‍♀️')
  assert.equal(withSkinTone(unicode('woman_technologist', '1f469-200d-1f4bb')), '👩🏾‍💻')
  chooseSkinTone('light')
  assert.equal(withSkinTone(hand), '👋🏻')
})

test('gives no skin tone to families, things and custom emoji', (t) => {
  t.after(() => chooseSkinTone('none'))
  chooseSkinTone('dark')
  for (const [name, code] of [
    ['family', '1f46a'],
    ['family_man_woman_girl', '1f468-200d-1f469-200d-1f467'],
    ['tada', '1f389'],
    ['heart', '2764'],
    ['flag_france', '1f1eb-1f1f7'],
  ] as const) {
    assert.equal(withSkinTone(unicode(name, code)), undefined)
    assert.equal(emojiText(unicode(name, code)), `:${name}:`)
  }
  assert.equal(withSkinTone({ emoji_name: 'wave', emoji_code: '7', reaction_type: 'realm_emoji' }), undefined)
})
