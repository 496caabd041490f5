import type { H3 } from 'h3'
import { FastResponse } from 'srvx'
import { codeToNames } from '../core/emoji/catalogue/catalogue.ts'
import { EMOJI_DATA_PATH, ICON_PATH } from '../core/organization/state.ts'
import { wrongMethod } from './answers.ts'

/** A speech bubble, for organizations without an icon of their own. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#3b6ea5"/>' +
  '<path d="M14 16h36a4 4 0 0 1 4 4v20a4 4 0 0 1-4 4H30L18 54V44h-4a4 4 0 0 1-4-4V20a4 4 0 0 1 4-4z" fill="#fff"/></svg>'

/** What register and the server's settings refer clients to, the same for every chat. No sign-in. */
export function serveStatic(h3: H3): void {
  const serve = (path: string, type: string, body: () => string) => {
    let text: string | undefined
    h3.all(path, ({ req }) => {
      if (req.method !== 'GET' && req.method !== 'HEAD') return wrongMethod(['GET', 'HEAD'])
      text ??= body()
      const headers = {
        'content-type': type,
        'content-length': String(Buffer.byteLength(text)),
        'cache-control': 'public, max-age=86400',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      }
      return new FastResponse(req.method === 'HEAD' ? null : text, { headers })
    })
  }
  serve(EMOJI_DATA_PATH, 'application/json', () => JSON.stringify({ code_to_names: codeToNames }))
  serve(ICON_PATH, 'image/svg+xml', () => icon)
}
