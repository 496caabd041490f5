import { element, escapeText } from '../html.ts'
import type { NotedLink, RenderState } from '../state.ts'
import { bareLinks } from './bare-links.ts'
import { emoji, emoticons, unicodeEmoji } from './emoji.ts'
import { linkifiers } from './linkifiers.ts'
import { links } from './links.ts'
import { math } from './math.ts'
import { groupMentions, userMentions } from './mentions.ts'
import { applyPasses, keep, type Pass } from './passes.ts'
import { readTime } from './read-time.ts'
import { streamLinks } from './stream-links.ts'

const backticks = /`+/g

/** `` `code` ``: the same number of backticks opens and closes it, and everything between them is literal. */
const codeSpans: Pass = (text, state) => {
  if (!text.includes('`')) return text
  const runs = [...text.matchAll(backticks)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
    length,
  }))
  // Searched from the right: the next backticks of the same length.
  const closing: (number | undefined)[] = []
  const latest = new Map<number, number>()
  for (let i = runs.length - 1; i >= 0; i--) {
    closing[i] = latest.get(runs[i]!.length)
    latest.set(runs[i]!.length, i)
  }
  let result = ''
  let from = 0
  for (let i = 0; i < runs.length; i++) {
    const end = closing[i]
    const { start, end: inside } = runs[i]!
    if (end === undefined || text[start - 1] === '\\') continue
    const code = text.slice(inside, runs[end]!.start)
    result += text.slice(from, start) + keep(state, `<code>${escapeText(code)}</code>`)
    from = runs[end]!.end
    i = end
  }
  return result + text.slice(from)
}

const timeTags = /<time:([^>\x81]{0,200})>/g

/** `<time:2026-01-01T00:00:00Z>`. */
const times: Pass = (text, state) =>
  text.includes('<time:')
    ? text.replace(timeTags, (typed, inner: string) => {
        const datetime = readTime(inner, state.context.now)
        if (datetime) return keep(state, element('time', { datetime }, inner))
        return keep(state, escapeText(typed))
      })
    : text

/** Between equal markers in one line; an unclosed marker stays text. */
const marked = (pattern: RegExp, mark: string, open: string, close: string): Pass => {
  return (text, state, inside) =>
    text.includes(mark)
      ? text.replace(pattern, (typed, inner: string) => {
          const html = `${open}${inside(inner)}${close}`
          // The text of a link contains no other link.
          return keep(state, html, html.includes('<a ') ? typed : undefined)
        })
      : text
}

// Underscores are literal, because snake_case and __init__ are common in chat.
const strongEmphasis = marked(/\*{3}(?!\s)([^*^\n]+)(?<!\s)\*{3}/g, '***', '<strong><em>', '</em></strong>')
const strong = marked(/\*\*([^\n]+?)\*\*/g, '**', '<strong>', '</strong>')
const emphasis = marked(/\*(?!\s)([^*^\n]+)(?<!\s)\*/g, '*', '<em>', '</em>')
const strikethrough = marked(/(?<!~)~~([^~\n]+)~~(?!~)/g, '~~', '<del>', '</del>')

/** Rules that apply to the label of a link, after the earlier rules. */
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
