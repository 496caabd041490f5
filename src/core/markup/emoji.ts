import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { type EmojiInText, emojiCode, emojiOfText, emoticonsOfText, extraEmoji } from '../emoji/catalogue/catalogue.ts'
import { element, tag } from './html.ts'
import { type Rendering, renderingOf } from './rendering.ts'
import { type Piece, textPass } from './text-pieces.ts'

// No name is longer, so a colon costs a bounded look ahead.
const pattern = /:([\p{L}\p{N}\p{M}_+-]{1,100}):/uy

/** A picture of one's own, or a place in the clients' sheet of Unicode emoji. */
type Emoji = { name: string } & ({ url: string } | { code: string })

/** Custom emoji come first: an organization may put its own in the place of a Unicode one. */
function findEmoji({ context, collector }: Rendering, name: string): Emoji | undefined {
  // Custom names are stored folded; Unicode ones are as they are (`D:` is no `d:`).
  const folded = name.normalize('NFC').toLowerCase()
  collector?.emojiNames.add(folded)
  const custom = context.customEmoji.get(folded)
  if (custom) return { name: folded, url: custom.url }
  if (name === extraEmoji.name) return { name, url: extraEmoji.url }
  const code = emojiCode(name)
  return code === undefined ? undefined : { name, code }
}

function emojiRule(state: StateInline, silentRun: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 58 /* : */) return false
  pattern.lastIndex = state.pos
  const match = pattern.exec(state.src)
  if (!match || state.pos + match[0].length > state.posMax) return false
  const emoji = findEmoji(renderingOf(state.env), match[1]!)
  if (!emoji) return false
  if (!silentRun) {
    const token = state.push('emoji', '', 0)
    token.content = match[0]
    token.meta = { emoji }
  }
  state.pos += match[0].length
  return true
}

function emojiToken(state: StateCore, { name, code }: EmojiInText): Token {
  const token = new state.Token('emoji', '', 0)
  token.content = `:${name}:`
  token.meta = { emoji: { name, code } satisfies Emoji }
  return token
}

function pieces(state: StateCore, found: EmojiInText[]): Piece[] {
  return found.map((emoji) => ({ start: emoji.start, end: emoji.end, tokens: [emojiToken(state, emoji)] }))
}

function emojiHtml(emoji: Emoji): string {
  const title = emoji.name.replaceAll('_', ' ')
  if ('url' in emoji) return tag('img', { alt: `:${emoji.name}:`, class: 'emoji', src: emoji.url, title })
  const attributes = { 'aria-label': title, class: `emoji emoji-${emoji.code}`, role: 'img', title }
  return element('span', attributes, `:${emoji.name}:`)
}

/** `:name:`, raw Unicode emoji, and emoticons where the sender wants them. */
export function emoji(md: MarkdownIt) {
  md.inline.ruler.before('emphasis', 'emoji', emojiRule)
  textPass(md, 'unicode_emoji', (text, _inLink, state) => pieces(state, emojiOfText(text)))
  textPass(md, 'emoticons', (text, inLink, state) =>
    renderingOf(state.env).context.translateEmoticons && !inLink ? pieces(state, emoticonsOfText(text)) : [],
  )
  md.renderer.rules.emoji = (tokens, index) => emojiHtml(tokens[index]!.meta!.emoji as Emoji)
}
