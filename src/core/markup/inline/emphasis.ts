import { keep, type Pass } from './passes.ts'

/** Between equal markers in one line; an unclosed marker stays text. */
const marked = (pattern: RegExp, mark: string, open: string, close: string): Pass => {
  return (text, state, inside) =>
    text.includes(mark)
      ? text.replace(pattern, (typed, inner: string) => {
          const html = `${open}${inside(inner)}${close}`
          // The text of a link contains no other link.
          return keep(state, html, html.includes('<a ') ? typed : undefined)
        })
      : text
}

// Underscores are literal, because snake_case and __init__ are common in chat.
export const strongEmphasis = marked(/\*{3}(?!\s)([^*^\n]+)(?<!\s)\*{3}/g, '***', '<strong><em>', '</em></strong>')
export const strong = marked(/\*\*([^\n]+?)\*\*/g, '**', '<strong>', '</strong>')
export const emphasis = marked(/\*(?!\s)([^*^\n]+)(?<!\s)\*/g, '*', '<em>', '</em>')
export const strikethrough = marked(/(?<!~)~~([^~\n]+)~~(?!~)/g, '~~', '<del>', '</del>')
