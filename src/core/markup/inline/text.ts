import type { NotedLink, RenderState } from '../state.ts'
import { bareLinks } from './bare-links.ts'
import { codeSpans } from './code-spans.ts'
import { emoji, emoticons, unicodeEmoji } from './emoji.ts'
import { emphasis, strikethrough, strong, strongEmphasis } from './emphasis.ts'
import { linkifiers } from './linkifiers.ts'
import { links } from './links.ts'
import { math } from './math.ts'
import { groupMentions, userMentions } from './mentions.ts'
import { applyPasses, type Pass } from './passes.ts'
import { streamLinks } from './stream-links.ts'
import { times } from './times.ts'

/** Rules that apply to the label of a link, besides what was found before it. */
const inLinks: readonly Pass[] = [strong, emphasis, strikethrough, emoji, emoticons, unicodeEmoji]

/** The inline rules, in order of precedence. */
const passes: readonly Pass[] = [
  codeSpans,
  strongEmphasis,
  userMentions,
  math,
  streamLinks,
  times,
  groupMentions,
  links(inLinks),
  bareLinks,
  linkifiers,
  ...inLinks,
]

/** Text in which no rule can find anything; most items and cells are like that. */
const plain = /^[\p{L}\p{N} ,;?!'-]*$/u

/** The HTML of one text, without a paragraph around it, and the links in it. */
export function textHtml(state: RenderState, text: string): { html: string; links: readonly NotedLink[] } {
  if (plain.test(text) && state.context.linkifiers.length === 0) return { html: text, links: [] }
  state.links = []
  state.parts = []
  const html = applyPasses(passes, text, state)
  return { html, links: state.links }
}
