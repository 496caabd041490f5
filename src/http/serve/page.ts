import { createHash } from 'node:crypto'
import { FastResponse } from 'srvx'
import type { Page } from '../../core/transport.ts'
import { commonHeaders, type Exchange } from '../exchange.ts'

const formStyle = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 4rem auto; padding: 0 1rem; color: #222; background: #fff }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
input, button { padding: .5rem; margin: .25rem 0 1rem }
[role=alert] { color: #a00 }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1c1c1c } [role=alert] { color: #f88 } }
`

/** Nothing runs in a page, nothing is loaded by it, nobody frames it, and its address, which may be a secret, goes nowhere. */
const headersFor = (style: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
})

export function sendPage(exchange: Exchange, { status, title, body, style = formStyle }: Page): Response {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
<main>
<h1>${title}</h1>
${body}
</main>
</html>
`
  const content = exchange.event.req.method === 'HEAD' ? null : html
  return new FastResponse(content, { status, headers: { ...headersFor(style), ...commonHeaders(exchange) } })
}
