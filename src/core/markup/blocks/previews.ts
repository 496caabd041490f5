import { tag } from '../html.ts'
import { uploadPath } from '../inline/addresses.ts'
import type { NotedLink } from '../state.ts'

const imageExtension = /\.(?:avif|bmp|gif|jpe|jpeg|jpg|png|webp)$/i

/**
 * The links of a text that are shown as pictures: those to images on this server, each once in a message. Other
 * servers would learn who reads the message, and when.
 */
export function previewsOf(links: readonly NotedLink[], seen: Set<string>): NotedLink[] {
  return links.filter(({ href }) => {
    if (seen.has(href) || !imageExtension.test(uploadPath(href) ?? '')) return false
    seen.add(href)
    return true
  })
}

/** An image that links to its original; its title is the link's text, unless that is its URL. */
export function previewHtml({ href, text }: NotedLink): string {
  const title = text === href ? undefined : text
  return `<div class="message_inline_image">${tag('a', { href, title })}${tag('img', { src: href })}</a></div>`
}
