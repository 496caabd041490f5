import type { Linkifier } from '../context.ts'
import { escapeText } from '../html.ts'
import { isSafeUrl } from './addresses.ts'
import { keepLink } from './links.ts'
import type { Pass } from './passes.ts'
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
    (start === 0 || /[\s'"(,:<[*~]/.test(text[start - 1]!)) &&
    (end === text.length || !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2)))
  )
}

/** The organization's own patterns, such as `#123` for an issue. */
export const linkifiers: Pass = (text, state) => {
  let result = text
  for (const linkifier of state.context.linkifiers) {
    let rest = ''
    let from = 0
    let search = 0
    for (let match = linkifier.find(result, 0); match; match = linkifier.find(result, search)) {
      const { start, end, values } = match
      search = start + 1
      const typed = result.slice(start, end)
      // A finished part is no text of a linkifier's.
      if (end > start && !typed.includes('\ufdd0') && standsAlone(result, start, end)) {
        const href = expandUriTemplate(linkifier.url_template, values)
        if (isSafeUrl(href)) {
          rest += result.slice(from, start) + keepLink(state, href, escapeText(typed), typed)
          from = end
        }
        search = end
      }
      if (search >= result.length) break
    }
    result = rest + result.slice(from)
  }
  return result
}
