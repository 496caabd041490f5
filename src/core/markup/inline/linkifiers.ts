import type { Linkifier } from '../context.ts'
import { escapeText } from '../html.ts'
import type { RenderState } from '../state.ts'
import { hrefOf } from './addresses.ts'
import { keepLink } from './links.ts'
import type { Pass } from './passes.ts'

/**
 * The cost of a match in addition to reading the text, in units of `cost`: finding the groups again and building the
 * URL.
 */
const MATCH_COST = 2000

function applyOne(linkifier: Linkifier, text: string, state: RenderState): string {
  let result = ''
  let from = 0
  for (const { start, end, url } of linkifier.matches(text)) {
    state.linkifierWorkLeft -= MATCH_COST
    if (state.linkifierWorkLeft < 0) break
    const typed = text.slice(start, end)
    // Linkifiers do not look into finished parts.
    const href = typed.includes('\x81') ? undefined : hrefOf(url, state.context.realmUrl, state.context.basePath)
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
