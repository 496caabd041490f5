import { untrustedLine } from '../format/text.ts'

/** The name that a request gives its sender. Messages begin with it, and edits and responses treat it apart from the text. */

/** Follows the name, and nobody sees it. Without it, an edit could not tell a name from bold text before a colon. */
const MARK = '\u200b'

/** Direct messages to the owner have their topic above. */
const BEGINNING = new RegExp(`^(?:\\*\\*[^\\n]*\\*\\*\\n)?\\*\\*([^\\n]*?)\\*\\*${MARK}:(?: |$)`)

export const withName = (name: string, text: string): string =>
  name === '' ? text : `**${untrustedLine(name)}**${MARK}: ${text}`.trimEnd()

/** Splits a text into its beginning up to the name, which an edit keeps, and the rest. Both the beginning and the name may be empty. */
export function splitName(text: string): { beginning: string; name: string; rest: string } {
  const [beginning = '', name = ''] = BEGINNING.exec(text) ?? []
  return { beginning, name, rest: text.slice(beginning.length) }
}
