import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { renderingOf } from './rendering.ts'
import { type Piece, textPass } from './text-pieces.ts'

/** Top-level domains beyond those of two letters that a bare domain may end in. */
const moreDomains =
  'app art blog business cafe chat city click cloud club codes community company design dev digital email energy events ' +
  'expert fun games global group guide health help host house info int international life live ltd mil mobi money ' +
  'network news one online page pub show site social software solutions space store studio support systems tech team ' +
  'today tools training travel university video website wiki work works world xyz zone'
/** Domains that are file name extensions far more often. */
const fileExtensions = new Set(['md', 'py'])

function configure(md: MarkdownIt) {
  const domains = md.linkify.__opts__.tlds.filter((domain) => !fileExtensions.has(domain))
  md.linkify.tlds([...domains, ...moreDomains.split(' ')])
  md.linkify.set({ fuzzyLink: true, fuzzyEmail: true, urlAuth: true, maxLength: 2000 })
  // A bare `//x` is a comment more often than an address, and nobody follows ftp.
  md.linkify.add('//', null).add('ftp:', null)
}

/** The tokens of a link around a plain text. */
export function linkTokens(state: StateCore, href: string, text: string): Token[] {
  const open = new state.Token('link_open', 'a', 1)
  open.attrs = [['href', href]]
  open.markup = 'linkify'
  const content = new state.Token('text', '', 0)
  content.content = text
  return [open, content, new state.Token('link_close', 'a', -1)]
}

/** What an address cannot lack, and prose has at the end of its words. */
const candidate = /[.:@][^.]/
const longestWord = 2000

function findLinks(text: string, state: StateCore): Piece[] {
  const { md } = state
  const rendering = renderingOf(state.env)
  const pieces: Piece[] = []
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (!candidate.test(word)) continue
    // The search is slow by the letter, so it gets a word at a time and only so many letters in all.
    rendering.bareLinksLeft -= word.length
    if (word.length > longestWord || rendering.bareLinksLeft < 0) continue
    for (const match of md.linkify.match(word) ?? []) {
      const href = md.normalizeLink(match.url)
      if (!md.validateLink(href)) continue
      const tokens = linkTokens(state, href, match.text)
      pieces.push({ start: index + match.index, end: index + match.lastIndex, tokens })
    }
  }
  return pieces
}

/** `https://example.com`, `example.com/path`, `me@example.com` as they stand in text. */
export function bareLinks(md: MarkdownIt) {
  configure(md)
  // The parser's own pass over the text takes 50 ms where somebody wants it to; its rule for `://` stays.
  md.core.ruler.disable('linkify')
  textPass(md, 'bare_links', (text, inLink, state) => (inLink ? [] : findLinks(text, state)))
}
