// cspell:ignore krake daumen hoch konfetti konfettibombe
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { gunzipSync } from 'node:zlib'
import { codeToNames } from '../../../src/core/markup/emoji/catalogue.ts'
import { namesIn } from '../../../web/model/writing/read-emoji-names.ts'
import { inLanguage } from '../in-language.ts'

const folder = new URL('../../../web/model/writing/emoji-names/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.bin'))

test('every language of the page names every emoji, in at most 600 kB', () => {
  assert.equal(files.length, 12)
  let size = 0
  for (const file of files) {
    const bytes = readFileSync(new URL(file, folder))
    size += bytes.length
    const names = namesIn(gunzipSync(bytes).toString())
    const unnamed = [...codeToNames().keys()].filter((code) => !names.get(code)?.name)
    assert.deepEqual(unnamed, [], file)
  }
  assert.ok(size < 600_000, `${size} bytes`)
})

test('emoji are found by English names and by the names of the reader’s language', async () => {
  const [octopus, local, thumb, tada, label, custom] = await inLanguage<string[]>(
    'de',
    `const { readFileSync } = await import('node:fs')
    const { codeToNames } = await load('src/core/markup/emoji/catalogue.ts')
    globalThis.fetch = async (url) =>
      String(url) === 'static/emoji.json'
        ? Response.json({ code_to_names: Object.fromEntries(codeToNames()) })
        : new Response(readFileSync(new URL(String(url))))
    const { findEmoji, isEmojiLoaded, loadEmoji } = await load('web/model/writing/emoji.ts')
    const { emojiLabel, localNames } = await load('web/model/writing/emoji-names.ts')
    const { eventually } = await load('test/eventually.ts')
    loadEmoji()
    await eventually('the names are loaded', () => isEmojiLoaded() && localNames())
    const session = { state: { realm_emoji: {} } }
    const found = (words) => findEmoji(session, words, 1)[0].emoji_name
    const party = { emoji_name: 'party_parrot', emoji_code: '1', reaction_type: 'realm_emoji' }
    const result = [
      ...['octopus', 'Krake', 'daumen_hoch', 'konfetti'].map(found),
      emojiLabel(findEmoji(session, 'tada', 1)[0]),
      emojiLabel(party),
    ]`,
  )
  // Messages contain the English name.
  assert.deepEqual([octopus, local, thumb, tada], ['octopus', 'octopus', '+1', 'tada'])
  assert.equal(label, 'Konfettibombe')
  assert.equal(custom, 'party parrot')
})
