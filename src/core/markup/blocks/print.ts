import { codeHtml } from '../code/code.ts'
import { tag } from '../html.ts'
import { mathBlock } from '../inline/math.ts'
import { textHtml } from '../inline/text.ts'
import type { NotedLink, RenderState } from '../state.ts'
import { previewHtml, previewsOf } from './previews.ts'
import type { Block, Element, Spoiler } from './tree.ts'

/** HTML of blocks. Some of it depends on the rest of the message. */
interface Page {
  state: RenderState
  parts: (string | Waiting)[]
  /** Links outside quotes, each once. */
  links: Set<string>
  /** Previews of links that are neither in a paragraph nor in a list item: they come last. */
  last: NotedLink[]
}

/** A paragraph whose previews are decided when all links are counted. */
interface Waiting {
  html: string
  links: readonly NotedLink[]
  /** Whether it is left out when its only link is shown as an image. */
  isLinkAlone: boolean
}

/** A message with more links than this gets no previews. */
const MAX_LINKS = 24

/** The HTML of blocks, with previews of the images that paragraphs and items link to below them. */
export function blocksHtml(blocks: readonly Block[], state: RenderState): string {
  const page: Page = { state, parts: [], links: new Set(), last: [] }
  addBlocks(page, blocks)
  page.parts.push({ html: '', links: page.last, isLinkAlone: false })
  const shown = page.links.size <= MAX_LINKS && state.context.previewImages !== false
  const seen = new Set<string>()
  let html = ''
  for (const part of page.parts) {
    if (typeof part === 'string') html += part
    else {
      const images = previewsOf(part.links, state.context, seen)
      if (images.length > 0) state.hasImage = true
      const previews = shown ? images : []
      html += (part.isLinkAlone && previews.length > 0 ? '' : part.html) + previews.map(previewHtml).join('')
    }
  }
  return html.trim()
}

function addBlocks(page: Page, blocks: readonly Block[]) {
  for (const block of blocks) addBlock(page, block)
}

function addBlock(page: Page, block: Block) {
  const { state, parts } = page
  switch (block.kind) {
    case 'element':
      return addElement(page, block)
    case 'spoiler':
      return addSpoiler(page, block)
    case 'code':
      return parts.push(`${codeHtml(state, block.text, block.language)}\n`)
    case 'formulas':
      return parts.push(mathBlock(state, block.text))
    case 'tail':
      return parts.push(textHtml(state, block.text).html)
  }
}

function addElement(page: Page, { tag: name, attributes, text, blocks }: Element) {
  const { state, parts, last } = page
  const open = tag(name, attributes)
  if (name === 'hr') return parts.push(`${open}\n`)
  const { html, links } = text === '' ? { html: '', links: [] } : textHtml(state, text)
  const previewed = state.quotes === 0 ? links : []
  for (const { href } of previewed) page.links.add(href)
  if (name === 'p') {
    const isLinkAlone = links.length === 1 && /^<a [^>]*>[^<]*<\/a>$/.test(html) && links[0]!.href === links[0]!.text
    return parts.push({ html: `<p>${html}</p>\n`, links: previewed, isLinkAlone })
  }
  parts.push(open, html)
  // A list directly follows the text of its item; a first block begins on its own line.
  if (text.trim() === '' && blocks.length > 0 && blocks[0]!.kind !== 'tail') parts.push('\n')
  if (name === 'blockquote') state.quotes++
  addBlocks(page, blocks)
  if (name === 'blockquote') state.quotes--
  if (name === 'li') parts.push({ html: '', links: previewed, isLinkAlone: false })
  else last.push(...previewed)
  return parts.push(`</${name}>\n`)
}

function addSpoiler(page: Page, { header, blocks }: Spoiler) {
  page.parts.push('<div class="spoiler-block"><div class="spoiler-header">\n')
  if (header !== '') addElement(page, { kind: 'element', tag: 'p', text: header, blocks: [] })
  page.parts.push('</div><div class="spoiler-content" aria-hidden="true">\n')
  addBlocks(page, blocks)
  page.parts.push('</div></div>\n')
}
