import type { MarkdownIt, Token } from 'markdown-it'
import { tag } from './html.ts'
import { uploadPath } from './links.ts'
import { renderingOf } from './rendering.ts'

const imageExtension = /\.(?:avif|bmp|gif|jpe|jpeg|jpg|png|webp)$/i
/** A message that links more pictures than this is an index; it gets no previews. */
const maxPreviews = 24

interface Preview {
  href: string
  /** What the link is called, unless it is its address. */
  title: string | undefined
}

function previewsOf(children: readonly Token[]): Preview[] {
  const previews: Preview[] = []
  children.forEach((child, index) => {
    if (child.type !== 'link_open') return
    const href = String(child.attrGet('href'))
    // Only pictures kept here: another server's would learn who reads the message, and when.
    if (!imageExtension.test(uploadPath(href) ?? '')) return
    let text = ''
    for (let i = index + 1; children[i] && children[i]!.type !== 'link_close'; i++) text += children[i]!.content
    previews.push({ href, title: text && text !== href && !child.markup ? text : undefined })
  })
  return previews
}

/** Shows the uploaded pictures that a paragraph links below it, except in quotes and tables. */
export function images(md: MarkdownIt) {
  md.core.ruler.push('image_previews', (state) => {
    const result: Token[] = []
    let quotes = 0
    let count = 0
    let waiting: Preview[] = []
    for (const token of state.tokens) {
      result.push(token)
      if (token.type === 'blockquote_open') quotes++
      else if (token.type === 'blockquote_close') quotes--
      else if (token.type === 'inline') waiting = quotes === 0 ? previewsOf(token.children!) : []
      else if (token.type === 'paragraph_close' || token.type === 'heading_close') {
        for (const preview of waiting) {
          const picture = new state.Token('image_preview', '', 0)
          picture.block = true
          picture.meta = { preview }
          result.push(picture)
          count++
        }
        waiting = []
      } else waiting = []
    }
    if (count === 0 || count > maxPreviews) return
    state.tokens = result
    renderingOf(state.env).hasImage = true
  })
  md.renderer.rules.image_preview = (tokens, index) => {
    const { href, title } = tokens[index]!.meta!.preview as Preview
    const picture = tag('a', { href, title }) + tag('img', { src: href })
    return `<div class="message_inline_image">${picture}</a></div>\n`
  }
}
