import { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { H3 } from 'h3'
import { FastResponse } from 'srvx'
import type { Chat } from '../core/chat.ts'
import { EMOJI_IMAGES_PATH } from '../core/emoji/custom/custom-emoji.ts'
import { customEmojiImage, customEmojiStill, type ServedImage } from '../core/emoji/custom/served.ts'
import { refusal, unknownPath, wrongMethod } from './answers.ts'
import { failure } from './dispatch.ts'

/** An uploaded image never runs as a page, whatever its bytes say; what is under one address never changes. */
const imageHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=31536000, immutable',
}

/** Images that messages and clients refer to by address, without signing in. */
export function serveFiles(h3: H3, chat: Chat): void {
  const serve = (path: string, find: (chat: Chat, id: number) => Promise<ServedImage | undefined>) =>
    h3.all(`${path}/:file`, async (event) => {
      try {
        const { method, headers } = event.req
        if (method !== 'GET' && method !== 'HEAD') return wrongMethod(['GET', 'HEAD'])
        const id = /^(\d{1,15})\.\w+$/.exec(event.context.params?.file ?? '')?.[1]
        const image = id === undefined ? undefined : await find(chat, Number(id))
        if (!image) return refusal(unknownPath())
        const etag = `"${id}-${image.size}"`
        if (headers.get('if-none-match') === etag) {
          return new FastResponse(null, { status: 304, headers: { ...imageHeaders, etag } })
        }
        return new FastResponse(method === 'HEAD' ? null : streamOf(image.chunks), {
          headers: { ...imageHeaders, etag, 'content-type': image.content_type, 'content-length': String(image.size) },
        })
      } catch (error) {
        return failure({ chat }, event, error)
      }
    })
  serve(EMOJI_IMAGES_PATH, customEmojiImage)
  serve(`${EMOJI_IMAGES_PATH}/still`, customEmojiStill)
}

const streamOf = (chunks: AsyncIterable<Uint8Array>) =>
  // Node's types and the web's know the same class by two names.
  NodeReadableStream.from(chunks) as unknown as ReadableStream<Uint8Array>
