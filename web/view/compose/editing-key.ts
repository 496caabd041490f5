import type { Session } from '../../model/state/session.ts'
import { composerOf } from '../../model/writing/compose.ts'
import { lineKey } from './list-keys.ts'
import { removeQuote } from './remove-quote.ts'

/**
 * Carries out keys that edit the composer's text. Returns whether the key was used. `sends` says that Enter sends the
 * text.
 */
export function editingKey(
  session: Session,
  event: KeyboardEvent,
  box: HTMLTextAreaElement | null,
  sends: boolean,
): boolean {
  const [quote] = composerOf(session).quotes.peek().at(-1) ?? []
  const isAtStart = box?.selectionStart === 0 && box.selectionEnd === 0
  // What is before the text is the last quote.
  if (event.key !== 'Backspace' || !isAtStart || quote === undefined) return lineKey(event, box, sends)
  event.preventDefault()
  removeQuote(session, quote)
  return true
}
