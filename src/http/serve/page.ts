import { createHash } from 'node:crypto'
import { FastResponse } from 'srvx'
import * as v from 'valibot'
import { hasMembers } from '../../core/kernel/answers.ts'
import type { User } from '../../core/kernel/user.ts'
import { isFromTheRight } from '../../core/mail/texts/isolating.ts'
import { commonHeaders, type Exchange } from '../exchange.ts'
import type { FormTexts } from '../page-texts/en.ts'

/** HTML, or what makes it in the reader's language. */
export type Words = string | ((texts: FormTexts) => string)

export const wordsIn = (texts: FormTexts, words: Words): string => (typeof words === 'string' ? words : words(texts))

/** A page for people, which needs no script. */
export interface Page {
  status: number
  title: Words
  /** The account that the page is for, in whose language it is. */
  reader?: User | undefined
  /** A stylesheet other than the one for forms. */
  style?: string
  /** Address of a script of this server that makes the page more comfortable. */
  script?: string
  /** Content as HTML. */
  body: Words
  /** An account that this page signs in to, and the content to show then. */
  signIn?: { username: string; password: string; body: Words }
  /** A new session of this browser. */
  session?: { api_key: string }
  /** More cookies to set. */
  cookies?: readonly string[]
  /** Where the browser goes instead of showing the page: a path, another server, or an app. */
  goTo?: string
  /** Whether the page's form ends in an app. */
  opensApp?: true
}

/** Words that depend on the language are functions, which a check as JSON doesn't see. */
export const page = v.custom<Page>((found) => hasMembers(found, 'status'))

/** The colors and sizes of the web client, on a page that needs no scripts. */
const formStyle = `
:root { color-scheme: light dark; --accent: light-dark(#3a56b0, #9db2f5); --line: light-dark(#8b8c85, #6d6f76); }
body { display: grid; min-height: 100dvh; place-items: center; margin: 0; font: .9375rem/1.5 system-ui, sans-serif;
  color: light-dark(#23241f, #e3e3e0); background: light-dark(#ffffff, #17181b); }
main { box-sizing: border-box; width: min(24rem, 100%); padding: 1.5rem 1rem; overflow-wrap: anywhere; }
svg { display: block; width: 3rem; margin-bottom: .75rem; }
p svg { width: 13rem; height: auto; margin: 0 auto; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.2; }
h1 + form { margin-top: 1rem; }
p { margin: 0 0 1rem; color: light-dark(#65665f, #a0a29d); }
label { display: grid; gap: .25rem; margin-bottom: 1rem; font-weight: 600; }
input, button { box-sizing: border-box; width: 100%; padding: .5rem; border: 1px solid var(--line); border-radius: 6px; font: inherit; }
label:has([type=checkbox]) { grid-template-columns: auto 1fr; }
meter { width: 100%; margin-top: -.5rem; }
section { max-height: 50dvh; margin-bottom: 1rem; overflow: auto; }
input { color: inherit; background: light-dark(#ffffff, #17181b); font-weight: 400; }
button { border-color: transparent; color: light-dark(#ffffff, #14192b); background: var(--accent); font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.08); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
a { color: var(--accent); }
a.button { display: block; padding: .5rem; border-radius: 6px; color: light-dark(#ffffff, #14192b); background: var(--accent); font-weight: 600; text-align: center; text-decoration: none; }
p code { color: light-dark(#23241f, #e3e3e0); }
pre { white-space: pre-wrap; }
pre, code { direction: ltr; unicode-bidi: isolate; text-align: start; }
[role=alert] { color: light-dark(#b3261e, #f2a49e); }
@media (min-width: 30rem) {
  body { background: light-dark(#f6f6f4, #1d1e22); }
  main { margin: 1rem; padding: 2rem; border: 1px solid light-dark(#e3e2de, #383a41); border-radius: 12px; background: light-dark(#ffffff, #17181b); }
}
`

/** The logo of the web client. */
const mark = `<svg viewBox="0 0 64 64" aria-hidden="true"><rect width="64" height="64" rx="14" fill="#3a56b0"/><path d="M16 17h32a5 5 0 0 1 5 5v18a5 5 0 0 1-5 5H30L19 54v-9h-3a5 5 0 0 1-5-5V22a5 5 0 0 1 5-5z" fill="#fff"/></svg>
`

/** The page runs at most one script and loads nothing else, can't be framed, and keeps its address, which may contain a secret, to itself. */
const headersFor = (style: string, script: string | undefined, formsGoTo = "'self'") => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}';${script === undefined ? '' : " script-src 'self';"} form-action ${formsGoTo}; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
})

export function sendPage(exchange: Exchange, page: Page, texts: FormTexts, cookies: readonly string[] = []): Response {
  const { status, style = formStyle, script, goTo, opensApp } = page
  const title = wordsIn(texts, page.title)
  const body = wordsIn(texts, page.body)
  const html = `<!doctype html>
<html lang="${texts.language}"${isFromTheRight(texts.language) ? ' dir="rtl"' : ''}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>${script === undefined ? '' : `\n<script type="module" src="${script}"></script>`}
<main>
${style === formStyle ? mark : ''}<h1>${title}</h1>
${body}
</main>
</html>
`
  const { method } = exchange.event.req
  const content = method === 'HEAD' || goTo !== undefined ? null : html
  // Browsers apply the policy of the form to where its answer redirects to.
  const headers = new Headers({ ...headersFor(style, script, opensApp && "'self' zulip:"), ...commonHeaders(exchange) })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  if (goTo === undefined) return new FastResponse(content, { status, headers })
  headers.delete('content-type')
  headers.set('location', goTo)
  return new FastResponse(null, { status: /^(GET|HEAD)$/.test(method) ? 302 : 303, headers })
}
