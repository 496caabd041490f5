import { escapeText } from './html.ts'
import { highlighter } from './lazy.ts'
import { toPygments } from './pygments.ts'
import type { Rendering } from './rendering.ts'

/**
 * Many grammars of highlight.js take time that grows with the square of what they are given, so they are given little
 * at once. Measured over all grammars: a stretch of this length takes 10 ms at worst.
 */
const stretch = 2000
/** What one more block costs whatever its length, in characters of the message's allowance. */
const blockCost = 50

/** Words, lines and gaps that nobody types as code, and at which grammars are slowest. */
const unlikeCode = /[\w$]{60}|[^\n]{500}|(?:\n[ \t]*){12}/

/** `$` alone brings this grammar to a halt; its parent knows nearly all of the language. */
const substitutes: Readonly<Record<string, string>> = {
  pgsql: 'sql',
  postgres: 'sql',
  postgresql: 'sql',
}

/** Where to cut a stretch: before its last line that is not indented, else before its last line, else at its end. */
function cutOf(part: string): number {
  for (let end = part.lastIndexOf('\n'); end > stretch / 2; end = part.lastIndexOf('\n', end - 1)) {
    if (/\S/.test(part.charAt(end + 1))) return end + 1
  }
  return part.lastIndexOf('\n') + 1 || part.length
}

/** Cuts code where a new statement seems to begin, so that few strings and comments are cut. */
function stretches(code: string): string[] {
  const parts: string[] = []
  let rest = code
  while (rest.length > stretch) {
    const cut = cutOf(rest.slice(0, stretch))
    parts.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...parts, rest]
}

/** Code as HTML with Pygments' classes; what is over the message's allowance comes without. */
export function highlight(rendering: Rendering, code: string, typed: string): string {
  const language = substitutes[typed.toLowerCase()] ?? typed
  rendering.codeLeft -= blockCost
  return stretches(code)
    .map((part) => {
      rendering.codeLeft -= part.length
      if (rendering.codeLeft < 0 || unlikeCode.test(part)) return escapeText(part)
      return toPygments(highlighter().highlight(part, { language, ignoreIllegals: true }).value)
    })
    .join('')
}
