import { keep, type Pass } from './passes.ts'

/** Between equal marks in one line; a mark that does not close stays text. */
const marked = (pattern: RegExp, mark: string, open: string, close: string): Pass => {
  return (text, state, inside) =>
    text.includes(mark)
      ? text.replace(pattern, (typed, inner: string) => {
          const html = `${open}${inside(inner)}${close}`
          // Inside the name of a link there is no other.
          return keep(state, html, html.includes('<a ') ? typed : undefined)
        })
      : text
}

// Underscores mean themselves, for snake_case and __init__ are common in chat.
export const strongEmphasis = marked(/\*{3}(?!\s)([^*^\n]+)(?<!\s)\*{3}/g, '***', '<strong><em>', '</em></strong>')
export const strong = marked(/\*\*([^\n]+?)\*\*/g, '**', '<strong>', '</strong>')
export const emphasis = marked(/\*(?!\s)([^*^\n]+)(?<!\s)\*/g, '*', '<em>', '</em>')
export const strikethrough = marked(/(?<!~)~~([^~\n]+)~~(?!~)/g, '~~', '<del>', '</del>')
