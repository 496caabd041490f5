import type { Session } from '../../model/state/session.ts'
import { composerOf, write } from '../../model/writing/compose.ts'
import { joinFiles, splitFiles } from '../../model/writing/files-at-end.ts'

/** The text of the message field: without the quotes before it and the files after it, which have lists of their own. */
export function fieldText(session: Session): string {
  const { content, quoteText } = composerOf(session)
  return splitFiles(content.value.slice(quoteText.value.length)).words
}

/** Changes the text of the message field, and keeps quotes and files. */
export function writeField(session: Session, words: string): void {
  const { content, quoteText } = composerOf(session)
  const quotes = quoteText.peek()
  write(session, quotes + joinFiles(words, splitFiles(content.peek().slice(quotes.length)).files))
}
