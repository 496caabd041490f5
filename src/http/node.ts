import type { RequestListener } from 'node:http'
import { toNodeHandler } from 'srvx/node'
import type { Chat } from '../core/chat.ts'
import type { App, AppOptions } from './app.ts'
import { MAX_FORM_BYTES } from './body.ts'

/** No request may be larger, whatever it is for; single operations allow less. */
export const maxBodyBytes = ({ options }: Chat): number => options.maxEmojiFileSizeMib * 1024 * 1024 + MAX_FORM_BYTES

/** The app for servers that want a node:http listener. */
export function nodeListener(
  chat: Chat,
  app: App,
  { trustProxy = false }: Pick<AppOptions, 'trustProxy'> = {},
): RequestListener {
  const handler = toNodeHandler(app.h3.fetch, { maxRequestBodySize: maxBodyBytes(chat), trustProxy })
  // srvx's handler is for HTTP/1 and HTTP/2 at once.
  return handler as RequestListener
}
