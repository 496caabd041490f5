import { keep, type Pass } from './passes.ts'

/** Between equal marks in one line; a mark that does not close stays text. */
const marked = (pattern: RegExp, mark: string, open: string, close: string): Pass => {
  return (text, state, inside) =>
    text.includes(mark)
      ? text.replace(pattern, (_typed, inner: string) => keep(state, `${open}${inside(inner)}${close}`))
      : text
}

// Underscores mean themselves, for snake_case and __init__ are common in chat.
export const strongEmphasis = marked(/\*{3}(?!\s)([^*^\n]+)(?<!\s)\*{3}/g, '***', '<strong><em>', '</em></strong>')
export const strong = marked(/\*\*([^\n]+?)\*\*/g, '**', '<strong>', '</strong>')
export const emphasis = marked(/\*(?!\s)([^*^\n]+)(?<!\s)\*/g, '*', '<em>', '</em>')
export const strikethrough = marked(/(?<!~)~~([^~\n]+)~~(?!~)/g, '~~', '<del>', '</del>')
