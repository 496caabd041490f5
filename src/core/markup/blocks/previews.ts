import type { MarkupContext } from '../context.ts'
import { decodeText, tag } from '../html.ts'
import { uploadPath } from '../inline/addresses.ts'
import { withInlineImages } from '../inline/media.ts'
import type { NotedLink } from '../state.ts'

/** A link to an image on this server, and the attributes of the `<img>` that shows it. */
export interface Preview {
  link: NotedLink
  image: Readonly<Record<string, string>>
}

/**
 * Returns the links of a text that are shown as images: links to images on this server, each once per message. Other
 * servers would learn who reads the message, and when.
 */
export function previewsOf(
  links: readonly NotedLink[],
  { images }: Pick<MarkupContext, 'images'>,
  seen: Set<string>,
): Preview[] {
  return links.flatMap((link) => {
    const image = images.get(uploadPath(link.href) ?? '')
    if (!image || seen.has(link.href)) return []
    seen.add(link.href)
    return [{ link, image }]
  })
}

/** An image that links to its original; its title is the link's text, unless that is its URL. */
export function previewHtml({ link: { href, text }, image }: Preview): string {
  const title = text === href ? undefined : text
  return `<div class="message_inline_image">${tag('a', { href, title })}${tag('img', image)}</a></div>`
}

const preview = /(<div class="message_inline_image"><a href="([^"]*)"(?: title="[^"]*")?>)<img [^>]*>/g

/** Rendered HTML in which images are shown with these attributes, by path; others stay. */
export function withImages(html: string, images: MarkupContext['images']): string {
  const imageAt = (href: string) => images.get(uploadPath(decodeText(href)) ?? '')
  const shown = html.replace(preview, (whole, start: string, href: string) => {
    const image = imageAt(href)
    return image ? start + tag('img', image) : whole
  })
  return withInlineImages(shown, imageAt)
}
