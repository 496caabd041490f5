import type { MarkdownIt, StateInline } from 'markdown-it'
import { element } from './html.ts'
import { typesetter } from './lazy.ts'
import { type Rendering, renderingOf } from './rendering.ts'

/**
 * KaTeX 0.18 put `katex-` before these class names; clients of the API parse and style the names of before
 * (KaTeX pull request 4229, zulip-flutter issue 2387).
 */
const renamed =
  /\bkatex-(accent|base|fix|hdashline|hline|inner|newline|overlay|overline|root|rule|sizing|smash|sout|stretchy|strut|tag|thinbox|underline|vbox)(?=[ "])/g

function withOldClasses(html: string): string {
  // Quotation marks inside texts are escaped, so nothing but an attribute matches.
  return html.replace(/ class="[^"]*"/g, (attribute) => attribute.replace(renamed, '$1'))
}

/** What one more formula costs whatever its length, in characters of the message's allowance. */
const formulaCost = 15

/** Typesets TeX; what is wrong, or more than a message may ask for, is shown as `shown`. */
export function texHtml(rendering: Rendering, tex: string, displayMode: boolean, shown: string): string {
  rendering.texLeft -= tex.length + formulaCost
  if (rendering.texLeft >= 0) {
    try {
      const html = typesetter().renderToString(tex, {
        displayMode,
        // Links, classes and pictures from TeX are refused.
        trust: false,
        strict: 'ignore',
        maxSize: 10,
        maxExpand: 100,
      })
      return withOldClasses(html)
    } catch {
      // A mistake in the formula, or one nested deeper than the stack: both are the writer's to see.
    }
  }
  return element('span', { class: 'tex-error' }, shown)
}

// From `$$` to the next `$$` of the line; `\$` is a dollar sign inside.
const pattern = /\$\$([^\n$](?:\\\$|[^\n$])*)\$\$(?!\$)/y

function mathRule(state: StateInline, silentRun: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== 36 /* $ */ || (pos > 0 && /[\w$]/.test(src[pos - 1]!))) return false
  pattern.lastIndex = pos
  const match = pattern.exec(src)
  if (!match) return false
  const end = pos + match[0].length
  if (end > state.posMax || (end < src.length && /\w/.test(src[end]!))) return false
  if (!silentRun) state.push('math_inline', '', 0).content = match[1]!
  state.pos = end
  return true
}

/** `$$…$$` in a line of text; the fenced kind is rendered with the code blocks, by `mathBlock`. */
export function math(md: MarkdownIt) {
  md.inline.ruler.before('emphasis', 'math', mathRule)
  md.renderer.rules.math_inline = (tokens, index, _options, env) => {
    const tex = tokens[index]!.content
    return texHtml(renderingOf(env), tex, false, `$$${tex}$$`)
  }
}

/** The inside of ```` ```math ````: a formula per paragraph. */
export function mathBlock(rendering: Rendering, source: string): string {
  return source
    .split(/\n[ \t]*\n/)
    .map((tex) => tex.trim())
    .filter((tex) => tex !== '')
    .map((tex) => `<p>${texHtml(rendering, tex, true, tex)}</p>\n`)
    .join('')
}
