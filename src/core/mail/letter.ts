import { escapeAttribute, escapeText } from '../markup/html.ts'
import type { Reader } from './reader.ts'

/** A part of an email: a paragraph, a heading, a button, a link, or content that exists as text and as safe HTML. */
export type Part =
  | { readonly text: string }
  | { readonly heading: string }
  | { readonly button: string; readonly url: string }
  | { readonly link: string; readonly url: string }
  | { readonly plain: string; readonly html: string }

export interface Letter {
  subject: string
  parts: readonly Part[]
  /** Below a line, in small print. */
  footer?: readonly Part[]
}

const MAX_SUBJECT = 200

/** Line breaks and other control characters, and characters that reverse the direction of text. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2028\u2029]+/gu
/** Characters around names in texts of languages that are written from right to left. */
const ISOLATES = /[\u2066-\u2069]/g

/** Returns text that is safe in a header of an email: one line, in the order it is written, and not too long. */
export function inHeader(text: string): string {
  const line = text.replace(ISOLATES, '').replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= MAX_SUBJECT ? line : `${characters.slice(0, MAX_SUBJECT - 1).join('')}…`
}

/** Returns the email as plain text and as simple HTML with the same words, for light and dark clients. */
export function rendered(
  { subject, parts, footer = [] }: Letter,
  reader: Reader,
): { subject: string; text: string; html: string } {
  const line = inHeader(subject)
  const plain = (part: Part) => asText(part, reader)
  const text = [...parts.map(plain), ...(footer.length > 0 ? ['-- ', ...footer.map(plain)] : [])]
  return {
    subject: line,
    text: `${text.join('\n\n').replace('-- \n\n', '-- \n')}\n`,
    html: page(line, { body: parts.map(asHtml).join('\n'), footer: footer.map(asHtml).join('\n') }, reader),
  }
}

function asText(part: Part, { texts: { common } }: Reader): string {
  if ('text' in part) return part.text
  if ('heading' in part) return part.heading
  if ('button' in part) return `${common.labeled(part.button, '').trimEnd()}\n${part.url}`
  return 'link' in part ? common.labeled(part.link, part.url) : part.plain
}

const RIGHT_TO_LEFT = ' dir="rtl"'

/** Works on white and on black. */
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background-color:#3a56b0;color:#ffffff;text-decoration:none;font-weight:600'

function asHtml(part: Part): string {
  if ('text' in part) return `<p style="margin:0 0 16px">${escapeText(part.text).replaceAll('\n', '<br>')}</p>`
  if ('heading' in part) return `<p style="margin:24px 0 8px;font-weight:600">${escapeText(part.heading)}</p>`
  if ('button' in part) {
    const link = `<a href="${escapeAttribute(part.url)}" style="${BUTTON}">${escapeText(part.button)}</a>`
    return `<p style="margin:0 0 16px">${link}</p>`
  }
  if ('link' in part) {
    return `<p style="margin:0"><a href="${escapeAttribute(part.url)}" style="color:inherit">${escapeText(part.link)}</a></p>`
  }
  return part.html
}

/** Mail programs keep only the body, so it says the language and the direction too. */
const page = (
  title: string,
  { body, footer }: { body: string; footer: string },
  { tag, isFromRight }: Reader,
): string => `<!doctype html>
<html lang="${tag}"${isFromRight ? RIGHT_TO_LEFT : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeText(title)}</title>
</head>
<body style="margin:0;padding:16px">
<div lang="${tag}"${isFromRight ? RIGHT_TO_LEFT : ''} style="max-width:600px;margin:0 auto;font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;overflow-wrap:anywhere">
${body}
${footer === '' ? '' : `<hr style="border:0;border-top:1px solid #8b8c85;margin:24px 0 12px">\n<div style="font-size:13px;opacity:.75">${footer}</div>\n`}</div>
</body>
</html>
`
