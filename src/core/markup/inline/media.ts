import { decodeText, tag } from '../html.ts'
import type { RenderState } from '../state.ts'
import { uploadPath } from './addresses.ts'

/**
 * Returns the image or the player for `![name](address)`, and records it; undefined for anything but an uploaded image
 * or audio file.
 */
export function mediaHtml(state: RenderState, href: string, name: string, title?: string): string | undefined {
  const { images, audio, previewImages } = state.context
  const path = uploadPath(href)
  if (path === undefined) return undefined
  const image = images.get(path)
  const isShown = image && previewImages !== false
  if (!isShown && !audio?.has(path)) return undefined
  state.attachmentPaths.add(path)
  if (!isShown) return playerHtml(href, title ?? (name || path.split('/').at(-1)!))
  state.hasImage = true
  return inlineImageHtml(name, href, image)
}

const playerHtml = (src: string, title: string): string =>
  `${tag('audio', { preload: 'metadata', src, title }).replace('<audio', '<audio controls')}</audio>`

const INLINE = 'inline-image'
const inlineImage = new RegExp(
  `<img alt="([^"]*)" class="${INLINE}(?: [^"]*)?" [^>]*?data-original-src="([^"]*)"[^>]*>`,
  'g',
)

/** Clients parse exactly this form. */
function inlineImageHtml(alt: string, path: string, image: Readonly<Record<string, string>>): string {
  const { class: loading, src, ...rest } = image
  const names = { ...rest, alt, class: loading ? `${INLINE} ${loading}` : INLINE, 'data-original-src': path }
  const sorted = Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1))
  return tag('img', { ...Object.fromEntries(sorted), src })
}

/** Returns rendered HTML with inline images replaced by the result of `imageAt`. Others stay unchanged. */
export const withInlineImages = (
  html: string,
  imageAt: (href: string) => Readonly<Record<string, string>> | undefined,
): string =>
  html.replace(inlineImage, (whole, alt: string, path: string) => {
    const image = imageAt(path)
    return image ? inlineImageHtml(decodeText(alt), decodeText(path), image) : whole
  })
