import type { Session } from '../../model/state/session.ts'
import { composerOf, write } from '../../model/writing/compose.ts'

/** Removes one of the quotes before the composer's text. */
export function removeQuote(session: Session, quote: string): void {
  const { content, quoteText } = composerOf(session)
  const before = quoteText.peek()
  write(session, before.replace(quote, '').replace(/^\n+/, '') + content.peek().slice(before.length))
}
