import { RE2JS } from 're2js'
import { parseTemplate, type Template } from 'url-template'
import type { Linkifier, LinkifierMatch } from '../context.ts'
import { escapeText } from '../html.ts'
import type { RenderState } from '../state.ts'
import { hrefOf } from './addresses.ts'
import { keepLink } from './links.ts'
import type { Pass } from './passes.ts'

const [BEFORE, MATCH, AFTER] = ['linkifier_before_match', 'linkifier_actual_match', 'linkifier_after_match'] as const

/** A match must come after a space, an opening bracket or an emphasis marker, and before no letter or digit. */
const standingAlone = (pattern: string): string =>
  `(?P<${BEFORE}>^|\\s|\u0085|\\pZ|['"\\(,:<*~])(?P<${MATCH}>${pattern})(?P<${AFTER}>$|[^\\pL\\pN])`

/**
 * A linkifier. Its engine takes time linear in the text, whatever the pattern.
 *
 * @param pattern of RE2, with named groups as in `#(?P<id>[0-9]+)`; must be valid
 * @param url_template of RFC 6570, whose variables are the groups
 */
export function linkifier(pattern: string, url_template: string): Linkifier {
  // Compiling is slow, and most texts only need to know whether there is a match at all.
  let alone: RE2JS | undefined
  let template: Template | undefined
  let source: RE2JS | undefined
  const groupNames = () => Object.keys(alone!.namedGroups()).filter((name) => !name.startsWith('linkifier_'))
  return {
    mayMatch(text) {
      source ??= RE2JS.compile(pattern)
      return source.test(text)
    },
    cost(text) {
      alone ??= RE2JS.compile(standingAlone(pattern))
      return alone.programSize() * text.length
    },
    *matches(text): Generator<LinkifierMatch> {
      alone ??= RE2JS.compile(standingAlone(pattern))
      template ??= parseTemplate(url_template)
      const matcher = alone.matcher(text)
      for (let from = 0; from < text.length && matcher.find(from); ) {
        const [start, end] = [matcher.start(MATCH), matcher.end(MATCH)]
        // The character after one match may be the one before the next.
        from = Math.max(matcher.start(AFTER), from + 1)
        if (start === end) continue
        const values = Object.fromEntries(groupNames().map((name) => [name, matcher.group(name)]))
        yield { start, end, url: template.expand(values) }
      }
    },
  }
}

/** What a match costs besides reading the text, in units of `cost`: the groups are found again, the address is made. */
const MATCH_COST = 2000

function applyOne(linkifier: Linkifier, text: string, state: RenderState): string {
  let result = ''
  let from = 0
  for (const { start, end, url } of linkifier.matches(text)) {
    state.linkifierWorkLeft -= MATCH_COST
    if (state.linkifierWorkLeft < 0) break
    const typed = text.slice(start, end)
    // Linkifiers do not look into finished parts.
    const href = typed.includes('\ufdd0') ? undefined : hrefOf(url, state.context.realmUrl, state.context.basePath)
    if (!href) continue
    result += text.slice(from, start) + keepLink(state, href, escapeText(typed), typed)
    from = end
  }
  return result + text.slice(from)
}

/**
 * The organization's own patterns, such as `#123` for an issue. Text that an earlier one matched is not seen by later
 * ones.
 */
export const linkifiers: Pass = (text, state) => {
  let result = text
  for (const linkifier of state.context.linkifiers) {
    if (!linkifier.mayMatch(result)) continue
    state.linkifierWorkLeft -= linkifier.cost(result)
    if (state.linkifierWorkLeft < 0) break
    result = applyOne(linkifier, result, state)
  }
  return result
}
