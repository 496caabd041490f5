import { escapeQuotes, escapeText, tag } from '../html.ts'
import type { RenderState } from '../state.ts'
import { highlight, languageName } from './highlight.ts'

/** A first line that gives the language of code without a fence: `#!/usr/bin/python`, `:::python`. */
const named = /^(?:::+|#!)(?:(?:\/\w+)*[/ ])?([\w#.+-]+)/

/**
 * A block of code. Its language is never guessed: that would cost a parse for each known language.
 *
 * @param language as typed after the fence, in lower case; empty if none was
 */
export function codeHtml(state: RenderState, code: string, language: string): string {
  const text = `${code.replace(/^\n+/, '').trimEnd()}\n`
  const body =
    language === ''
      ? highlight(state, text, (named.exec(text)?.[1] ?? '').toLowerCase(), escapeQuotes)
      : highlight(state, text, language, escapeText)
  const name = language === '' ? undefined : languageName(language)
  return `${tag('div', { class: 'codehilite', 'data-code-language': name })}<pre><span></span><code>${body}</code></pre></div>`
}
