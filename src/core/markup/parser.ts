import MarkdownIt from 'markdown-it'
import { bareLinks } from './bare-links.ts'
import { code } from './code.ts'
import { containers } from './containers.ts'
import { emoji } from './emoji.ts'
import { emphasis } from './emphasis.ts'
import { escapeText } from './html.ts'
import { images } from './images.ts'
import { limits } from './limits.ts'
import { linkifiers } from './linkifiers.ts'
import { links } from './links.ts'
import { lists } from './lists.ts'
import { math } from './math.ts'
import { mentions } from './mentions.ts'
import { streamLinks } from './stream-links.ts'
import { times } from './times.ts'

/** Markdown as chat has it. Stateless between messages: what belongs to one travels in its environment. */
export const parser = new MarkdownIt({ html: false, breaks: true, linkify: true, maxNesting: 60 })
  // Not part of the dialect: pictures by `![]()`, backslash escapes (¯\_(ツ)_/¯), lines underlined into headings,
  // and definitions `[x]: y`, which would vanish from the message. Raw HTML is off twice.
  .disable(['image', 'escape', 'lheading', 'reference', 'html_block', 'html_inline'])
  .use(limits)
  .use(containers)
  .use(lists)
  .use(code)
  .use(math)
  .use(times)
  .use(mentions)
  .use(streamLinks)
  .use(bareLinks)
  .use(linkifiers)
  .use(emoji)
  .use(emphasis)
  .use(links)
  .use(images)

parser.renderer.rules.text = (tokens, index) => escapeText(tokens[index]!.content)
parser.renderer.rules.code_inline = (tokens, index) => `<code>${escapeText(tokens[index]!.content)}</code>`
for (const cell of ['th', 'td']) {
  parser.renderer.rules[`${cell}_open`] = (tokens, index) => {
    const align = /(left|right|center)$/.exec(String(tokens[index]!.attrGet('style') ?? ''))?.[0]
    return align ? `<${cell} style="text-align: ${align};">` : `<${cell}>`
  }
}
