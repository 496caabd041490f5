// cspell:ignore oembed onclosetag
import type { Fetch, FetchAnswer } from '../../../network/post.ts'
import { redirectTarget } from '../../../network/redirect.ts'
import { defineService } from '../../kernel/service.ts'

/** Gets web pages for previews. */
export const previewFetchOf = defineService<Fetch>('way out for previews')

/** What a web page says about itself. */
export interface Page {
  title: string
  description: string
  /** The address of its image. */
  image: string | undefined
}

const MAX_REDIRECTS = 3
const MAX_TITLE = 200
const MAX_DESCRIPTION = 300
/** Where the head of a page ends at the latest. */
const MAX_HEAD = 512 * 1024

interface Asked {
  get: Fetch
  url: string
  accept: string
  signal: AbortSignal
}

/** Gets a document, and follows its redirects. Undefined for any other answer. */
export async function getDocument({
  get,
  accept,
  signal,
  ...asked
}: Asked): Promise<(FetchAnswer & { url: string }) | undefined> {
  const headers = { accept, 'user-agent': 'chat-server-link-preview' }
  let { url } = asked
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await get({ url, headers, signal })
    if (answer.status === 200) return { ...answer, url }
    const target = redirectTarget(answer, url)
    if (target === undefined) return undefined
    url = target
  }
  return undefined
}

/** Reads the head of a web page. Undefined unless it has a title. */
export async function readPage(asked: Omit<Asked, 'accept'>): Promise<Page | undefined> {
  const document = await getDocument({ ...asked, accept: 'text/html' })
  const type = document?.headers['content-type'] ?? ''
  if (!document || !/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return undefined
  const head = await headOf(decoded(document.bytes, type))
  const more =
    head.oembed && !head.title && (await readOembed({ ...asked, url: absolute(head.oembed, document.url) ?? '' }))
  const title = head.title ?? (more ? more.title : undefined) ?? head.plainTitle
  if (!title) return undefined
  const image = head.image ?? (more ? more.image : undefined)
  return {
    title: shortened(title, MAX_TITLE),
    description: shortened(head.description ?? '', MAX_DESCRIPTION),
    image: image && absolute(image, document.url),
  }
}

interface Head {
  title?: string
  plainTitle?: string
  description?: string
  image?: string
  /** The address of its description as JSON. */
  oembed?: string
}

async function headOf(html: string): Promise<Head> {
  // Loaded late, because most organizations have no previews.
  const { Parser } = await import('htmlparser2')
  const head: Head = {}
  let isTitle = false
  const parser = new Parser({
    onopentag(name, attributes) {
      isTitle = name === 'title' && head.plainTitle === undefined
      if (name === 'body') parser.pause()
      if (name === 'link' && attributes.type === 'application/json+oembed' && attributes.href)
        head.oembed ??= attributes.href
      if (name !== 'meta' || !attributes.content?.trim()) return
      const { content } = attributes
      const property = (attributes.property ?? attributes.name ?? '').toLowerCase()
      if (property === 'og:title' || property === 'twitter:title') head.title ??= content
      if (['og:description', 'twitter:description', 'description'].includes(property)) head.description ??= content
      if (property === 'og:image' || property === 'twitter:image') head.image ??= content
    },
    ontext(text) {
      if (isTitle) head.plainTitle = (head.plainTitle ?? '') + text
    },
    onclosetag() {
      isTitle = false
    },
  })
  parser.write(html.slice(0, MAX_HEAD))
  return head
}

async function readOembed(asked: Omit<Asked, 'accept'>): Promise<{ title?: string; image?: string } | undefined> {
  if (asked.url === '') return undefined
  const document = await getDocument({ ...asked, accept: 'application/json' }).catch(() => undefined)
  if (!document || !/json/i.test(document.headers['content-type'] ?? '')) return undefined
  try {
    const { title, thumbnail_url } = JSON.parse(Buffer.from(document.bytes).toString('utf8'))
    return {
      ...(typeof title === 'string' && { title }),
      ...(typeof thumbnail_url === 'string' && { image: thumbnail_url }),
    }
  } catch {
    return undefined
  }
}

function absolute(address: string, base: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  return /^https?:$/.test(url.protocol) ? url.href : undefined
}

function shortened(text: string, length: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line.length > length ? `${line.slice(0, length - 1).toWellFormed()}…` : line
}

/** Text in the encoding that the header or the page names, else UTF-8. */
function decoded(bytes: Uint8Array, type: string): string {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const named = /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(start)?.[1]
  try {
    return new TextDecoder(named ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
