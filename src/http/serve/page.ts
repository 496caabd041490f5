import { createHash } from 'node:crypto'
import { FastResponse } from 'srvx'
import { escapeText } from '../../core/markup/html.ts'
import type { Page } from '../../core/transport.ts'
import { commonHeaders, type Exchange } from '../exchange.ts'

/** Sends a page that can run nothing, load nothing but its own stylesheet, and stand in nobody's frame. */
export const sendPage = (exchange: Exchange, page: Page): Response =>
  new FastResponse(exchange.event.req.method === 'HEAD' ? null : documentOf(page), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(page),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      ...commonHeaders(exchange),
    },
  })

function policyFor({ style }: Page): string {
  const hash = createHash('sha256').update(style).digest('base64')
  const only = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", `style-src 'sha256-${hash}'`]
  return ["default-src 'none'", ...only].join('; ')
}

const documentOf = ({ title, style, body }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`
