import { ReadableStream } from 'node:stream/web'
import type { EventHandler } from 'h3'
import { FastResponse } from 'srvx'
import type { Chat } from '../core/chat.ts'
import { EMOJI_IMAGES_PATH } from '../core/emoji/custom.ts'
import { customEmojiImage, customEmojiStill, type ServedImage } from '../core/emoji/served.ts'
import { type Headers, refusal, unknownPath } from './answers.ts'

/** What may be said of a file's kind. Nothing here runs in a browser, whatever the bytes pretend. */
const imageTypes = new Set(['image/png', 'image/gif', 'image/jpeg', 'image/webp'])

const safe: Headers = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

/** Where `emojiImageHandler` belongs. */
export const EMOJI_IMAGES_ROUTE = `${EMOJI_IMAGES_PATH}/**`

const filePattern = /\/(still\/)?(\d{1,15})\.(?:png|gif|jpg|webp)$/

/** GET <id>.<ext> and still/<id>.<ext>. Open to all: browsers load pictures without credentials. */
export function emojiImageHandler(chat: Chat): EventHandler {
  return async ({ req, url }) => {
    const [, still, id] = filePattern.exec(url.pathname) ?? []
    if (!id) return refusal(unknownPath())
    const headers: Headers = {
      ...safe,
      // An id never comes to mean another image.
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"emoji-${id}${still ? '-still' : ''}"`,
    }
    const known = req.headers.get('if-none-match')
    const image = await (still ? customEmojiStill : customEmojiImage)(chat, Number(id))
    if (!image || !imageTypes.has(image.content_type)) return refusal(unknownPath())
    if (known?.split(/\s*,\s*/).some((tag) => tag === '*' || tag.replace(/^W\//, '') === headers.etag)) {
      return new FastResponse(null, { status: 304, headers })
    }
    const full = { ...headers, 'content-type': image.content_type, 'content-length': String(image.size) }
    return new FastResponse(req.method === 'HEAD' ? null : bodyOf(image), { status: 200, headers: full })
  }
}

// Node's own type of a stream and the one its Response asks for are declared apart.
const bodyOf = ({ chunks }: ServedImage): BodyInit => ReadableStream.from(chunks) as unknown as BodyInit
