import { fitImage } from '../../files/images/resize.ts'
import { UPLOADS_PATH } from '../../files/names.ts'
import { storeFile } from '../../files/upload.ts'
import type { Caller } from '../../kernel/context.ts'
import { escapeAttribute, escapeText } from '../../markup/html.ts'
import { getDocument, previewFetchOf, readPage } from './page.ts'

/** The largest image in a preview, in pixels. */
const IMAGE = { width: 300, height: 300, fit: 'inside' } as const

/** A preview: its HTML, and the path of its image among the uploaded files. */
export interface Preview {
  html: string
  path: string | undefined
}

/** Makes the preview of a page. Its image becomes a small file of the message's author. */
export async function previewOf(author: Caller, url: string, signal: AbortSignal): Promise<Preview | undefined> {
  const get = previewFetchOf(author.chat)
  const page = await readPage({ get, url, signal })
  if (!page) return undefined
  const path = page.image && (await storeImage(author, page.image, signal).catch(() => undefined))
  const href = escapeAttribute(url)
  // As upstream writes it. Image addresses contain no character that CSS or HTML escapes.
  const image = path
    ? `<a class="message_embed_image" href="${href}" style="background-image: url(&quot;${UPLOADS_PATH}/${path}&quot;)"></a>`
    : ''
  const title = `<div class="message_embed_title"><a href="${href}" title="${escapeAttribute(page.title)}">${escapeText(page.title)}</a></div>`
  const description = page.description
    ? `<div class="message_embed_description">${escapeText(page.description)}</div>`
    : ''
  const html = `<div class="message_embed">${image}<div class="data-container">${title}${description}</div></div>`
  return { html, path }
}

async function storeImage(author: Caller, url: string, signal: AbortSignal): Promise<string | undefined> {
  const found = await getDocument({ get: previewFetchOf(author.chat), url, accept: 'image/*', signal })
  if (!found || !/^image\//i.test(found.headers['content-type'] ?? '')) return undefined
  const bytes = await fitImage(found.bytes, IMAGE)
  if (!bytes) return undefined
  const chunks = (async function* () {
    yield bytes
  })()
  const stored = await storeFile(author, { name: 'preview.png', content_type: 'image/png', chunks })
  return stored.url.slice(stored.url.indexOf(UPLOADS_PATH) + UPLOADS_PATH.length + 1)
}
