import { content, quoteText, write } from '../../model/writing/compose.ts'

/** Removes one of the quotes before the composer's text. */
export function removeQuote(quote: string): void {
  const before = quoteText.peek()
  write(before.replace(quote, '').replace(/^\n+/, '') + content.peek().slice(before.length))
}
