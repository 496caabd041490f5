import { emojiCode, extraEmoji } from '../emoji/catalogue.ts'
import { type EmojiInText, emojiOfText, emoticonsOfText } from '../emoji/in-text.ts'
import { element, tag } from '../html.ts'
import type { RenderState } from '../state.ts'
import { keep, type Pass } from './passes.ts'

// No name is longer, so the look-ahead after a colon is bounded.
const pattern = /:([\p{L}\p{N}\p{M}_+-]{1,100}):/gu

/** An image for a custom emoji, or a position in the clients' sprite sheet of Unicode emoji. */
type Emoji = { name: string } & ({ url: string } | { code: string })

/** Custom emoji come first: an organization may override a Unicode one. */
function findEmoji({ context }: RenderState, name: string): Emoji | undefined {
  // Custom names are stored folded; Unicode ones are not folded.
  const folded = name.normalize('NFC').toLowerCase()
  const custom = context.customEmoji.get(folded)
  if (custom) return { name: folded, url: custom.url }
  if (name === extraEmoji.name) return { name, url: extraEmoji.url }
  const code = emojiCode(name)
  return code === undefined ? undefined : { name, code }
}

function emojiHtml(emoji: Emoji): string {
  const title = emoji.name.replaceAll('_', ' ')
  if ('url' in emoji) return tag('img', { alt: `:${emoji.name}:`, class: 'emoji', src: emoji.url, title })
  const attributes = { 'aria-label': title, class: `emoji emoji-${emoji.code}`, role: 'img', title }
  return element('span', attributes, `:${emoji.name}:`)
}

/** `:name:`. */
export const emoji: Pass = (text, state) =>
  text.includes(':')
    ? text.replace(pattern, (typed, name: string) => {
        const found = findEmoji(state, name)
        // A name that isn't an emoji is consumed as text too, so that its second colon doesn't begin another.
        return found ? keep(state, emojiHtml(found)) : typed
      })
    : text

function replaceFound(text: string, state: RenderState, found: readonly EmojiInText[]): string {
  let result = ''
  let from = 0
  for (const { start, end, name, code } of found) {
    result += text.slice(from, start) + keep(state, emojiHtml({ name, code }))
    from = end
  }
  return result + text.slice(from)
}

/** Emoticons such as `:)`, if the sender has turned on their conversion. */
export const emoticons: Pass = (text, state) =>
  state.context.translateEmoticons ? replaceFound(text, state, emoticonsOfText(text)) : text

/** Emoji as characters. */
export const unicodeEmoji: Pass = (text, state) => replaceFound(text, state, emojiOfText(text))
