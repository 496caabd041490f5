import type { MarkdownIt, StateCore } from 'markdown-it'
import { linkTokens } from './bare-links.ts'
import type { Linkifier } from './context.ts'
import { isSafeUrl } from './links.ts'
import { renderingOf } from './rendering.ts'
import { type Piece, textPass } from './text-pieces.ts'
import { expandUriTemplate } from './uri-template.ts'

/**
 * A linkifier over a JavaScript pattern; Python's `(?P<name>…)` is understood. Backtracks, so only for patterns that
 * come from code.
 */
export function linkifier(pattern: string, url_template: string): Linkifier {
  const regex = new RegExp(pattern.replaceAll('(?P<', '(?<'), 'g')
  return {
    url_template,
    find(text, from) {
      regex.lastIndex = from
      const match = regex.exec(text)
      if (!match) return undefined
      const groups = Object.entries(match.groups ?? {}).filter(([, value]) => value !== undefined)
      return { start: match.index, end: match.index + match[0].length, values: Object.fromEntries(groups) }
    },
  }
}

function standsAlone(text: string, start: number, end: number): boolean {
  return (
    (start === 0 || /[\s'"(,:<[]/.test(text[start - 1]!)) &&
    (end === text.length || !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2)))
  )
}

function findLinks(text: string, state: StateCore, linkifiers: readonly Linkifier[]): Piece[] {
  const pieces: Piece[] = []
  for (const linkifier of linkifiers) {
    // A linkifier before this one has its text already.
    const earlier = pieces.slice()
    let from = 0
    for (
      let match = linkifier.find(text, 0);
      match;
      match = from < text.length ? linkifier.find(text, from) : undefined
    ) {
      const { start, end, values } = match
      from = start + 1
      const taken = earlier.some((piece) => start < piece.end && end > piece.start)
      if (end <= start || taken || !standsAlone(text, start, end)) continue
      from = end
      const href = expandUriTemplate(linkifier.url_template, values)
      if (isSafeUrl(href)) pieces.push({ start, end, tokens: linkTokens(state, href, text.slice(start, end)) })
    }
  }
  return pieces.sort((a, b) => a.start - b.start)
}

/** The organization's own patterns, such as `#123` for an issue. */
export function linkifiers(md: MarkdownIt) {
  textPass(md, 'linkifiers', (text, inLink, state) => {
    const { linkifiers } = renderingOf(state.env).context
    return inLink || linkifiers.length === 0 ? [] : findLinks(text, state, linkifiers)
  })
}
