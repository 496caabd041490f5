import { decodeText } from './html.ts'

const blocks = /^(?:p|div|h[1-6]|li|ul|ol|blockquote|pre|hr|table|tr)$/
/** One paragraph of plain words, as most messages are. */
const lone = /^<p>([^<]*)<\/p>$/
const pattern = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|([^<]+)/gi

const classAttribute = / class="([^"]*)"/
const altAttribute = / alt="([^"]*)"/

function valueIn(attribute: RegExp, attributes: string): string | undefined {
  const match = attribute.exec(attributes)
  return match ? decodeText(match[1]!) : undefined
}

/**
 * A rendered message as plain text, for search and notifications: emoji as `:name:`, formulas as their
 * TeX, a line per block.
 *
 * @param html as `render` made it; not for HTML from elsewhere
 */
export function plainText(html: string): string {
  const paragraph = lone.exec(html)
  if (paragraph) return tidy(decodeText(paragraph[1]!))
  let text = ''
  // Of a formula only its source counts; the depth of spans shows where it ends.
  let formulaDepth = 0
  let inSource = false
  for (const [, close, rawName, attributes = '', words] of html.matchAll(pattern)) {
    const name = rawName?.toLowerCase()
    if (formulaDepth > 0) {
      if (name === 'span') formulaDepth += close ? -1 : 1
      else if (name === 'annotation') inSource = !close
      else if (words && inSource) text += decodeText(words)
    } else if (words === '\n' && text.endsWith(' ')) {
      // Only table cells leave a space before a line break.
    } else if (words !== undefined) text += decodeText(words)
    else if (name === 'span' && !close && valueIn(classAttribute, attributes) === 'katex') formulaDepth = 1
    else if (name === 'img') text += valueIn(altAttribute, attributes) ?? ''
    else if (name === 'td' || name === 'th') text += close ? ' ' : ''
    else if (blocks.test(name!) && !text.endsWith('\n')) text += '\n'
  }
  return tidy(text)
}

const tidy = (text: string): string => text.replace(/[ \t]*\n[ \t]*(?:\n[ \t]*)+/g, '\n').trim()
