import { element, escapeQuotes } from '../html.ts'
import { typesetter } from '../lazy.ts'
import type { RenderState } from '../state.ts'
import { keep, type Pass } from './passes.ts'

/** Fixed cost of a formula, in characters of the message's budget. */
const FORMULA_COST = 15

/** KaTeX logs characters it cannot measure to the console; users could write into our log that way. */
function quietly<T>(work: () => T): T {
  const { warn } = console
  console.warn = () => {}
  try {
    return work()
  } finally {
    console.warn = warn
  }
}

/** Typesets TeX; undefined if it is invalid, or over the message's budget. */
function typeset(state: RenderState, tex: string, displayMode: boolean): string | undefined {
  state.texLeft -= tex.length + FORMULA_COST
  if (state.texLeft < 0) return undefined
  // Links, classes and images from TeX are rejected.
  const options = { displayMode, trust: false, strict: 'ignore', maxSize: 10, maxExpand: 100 } as const
  try {
    return quietly(() => typesetter().renderToString(tex, options))
  } catch {
    // An invalid formula, or one nested deeper than the stack: the writer sees the source instead.
    return undefined
  }
}

// From `$$` to the next `$$` of the line, not attached to a word; `\$` is a dollar sign inside. `$$_$$` is an emoticon.
const pattern = /(?<![\w$])\$\$([^\n$_\x81](?:\\\$|[^\n$\x81])*)\$\$(?![\w$])/g

/** `$$…$$` in a line of text. */
export const math: Pass = (text, state) =>
  text.includes('$$')
    ? text.replace(pattern, (typed, tex: string) =>
        keep(state, typeset(state, tex, false) ?? element('span', { class: 'tex-error' }, typed)),
      )
    : text

/** The content of ```` ```math ````: formulas with blank lines between them. */
export function mathBlock(state: RenderState, source: string): string {
  const formulas = source
    .split('\n\n')
    .filter((tex) => tex.trim() !== '')
    .map(
      (tex) =>
        typeset(state, tex, true) ??
        `<span class="tex-error">${escapeQuotes(tex).replaceAll('&#39;', '&#x27;')}</span>`,
    )
  return formulas.length === 0 ? '' : `<p>${formulas.join('\n\n')}</p>\n`
}
