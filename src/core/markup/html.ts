import { decodeHTMLStrict } from 'entities'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (character: string): string => escapes[character]!

/** An entity as people type it in HTML; an unknown name counts, browsers show it unchanged. */
export const entity = /&(?:[a-z0-9]+|#\d+|#x[0-9a-f]+);/gi
const markupOutsideEntities = /&(?!(?:[a-z0-9]+|#\d+|#x[0-9a-f]+);)|[<>]/gi

export const escapeText = (text: string): string => text.replace(/[&<>]/g, escaped)
export const escapeAttribute = (text: string): string => text.replace(/[&<>"]/g, escaped)
export const escapeQuotes = (text: string): string => text.replace(/[&<>"']/g, escaped)
/** Text in which entities such as `&copy;` count as their characters. */
export const escapeTyped = (text: string): string => text.replace(markupOutsideEntities, escaped)

/** The text of HTML without tags. */
export const decodeText = (html: string): string => (html.includes('&') ? decodeHTMLStrict(html) : html)

/** One opening tag. Every tag is built here or comes from a table of fixed texts, so no text is output unescaped. */
export function tag(name: string, attributes: Readonly<Record<string, string | number | undefined>> = {}): string {
  let html = `<${name}`
  for (const key in attributes) {
    const value = attributes[key]
    if (value !== undefined) html += ` ${key}="${escapeAttribute(String(value))}"`
  }
  return `${html}>`
}

/** A whole element around a plain text. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  text: string,
): string {
  return `${tag(name, attributes)}${escapeText(text)}</${name}>`
}
