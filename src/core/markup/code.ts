import type { MarkdownIt, Token } from 'markdown-it'
import { highlight } from './highlight.ts'
import { escapeText, tag } from './html.ts'
import { highlighter } from './lazy.ts'
import { mathBlock } from './math.ts'
import { languageName } from './pygments.ts'
import { type Rendering, renderingOf } from './rendering.ts'

function codeHtml(rendering: Rendering, code: string, typed: string): string {
  const language = typed === '' ? undefined : highlighter().getLanguage(typed)
  const body = language ? highlight(rendering, code, typed) : escapeText(code)
  const name = typed === '' ? undefined : languageName(typed, language?.name)
  const open = tag('div', { class: 'codehilite', 'data-code-language': name })
  return `${open}<pre><span></span><code>${body}</code></pre></div>\n`
}

/** The first word after the fence, also as `.python` and `{.python}`. */
function languageOf({ info }: Token): string {
  return /^\s*\{?\.?([^\s{}]{0,60})/.exec(info)?.[1] ?? ''
}

/** Fenced and indented code. The language is never guessed: that costs a parse per language known. */
export function code(md: MarkdownIt) {
  const { rules } = md.renderer
  rules.fence = (tokens, index, _options, env) => {
    const { content: typed } = tokens[index]!
    // The text of a block left open ends without a line break, which clients count on.
    const content = typed === '' || typed.endsWith('\n') ? typed : `${typed}\n`
    const rendering = renderingOf(env)
    const language = languageOf(tokens[index]!)
    if (language === 'math') return mathBlock(rendering, content)
    return codeHtml(rendering, content, language || (rendering.context.defaultCodeLanguage ?? ''))
  }
  rules.code_block = (tokens, index, _options, env) => codeHtml(renderingOf(env), tokens[index]!.content, '')
}
