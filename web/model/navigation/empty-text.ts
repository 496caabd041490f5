import type { Narrow } from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'

const sentences = (): Readonly<Record<string, string>> => ({
  'is starred': texts.conversation.emptyStarred,
  'is mentioned': texts.conversation.emptyMentions,
  'is alerted': texts.conversation.emptyAlerts,
  'is followed': texts.conversation.emptyFollowed,
  'is unread': texts.conversation.allRead,
  'is dm': texts.conversation.emptyDirect,
})

/** Returns the text of an empty narrow. */
export function emptyText(narrow: Narrow, isSearch: boolean): string {
  const [first] = narrow
  const known = narrow.length === 1 && first && !first.negated && sentences()[`${first.operator} ${first.operand}`]
  if (known) return known
  if (isSearch) return texts.conversation.emptySearch
  return texts.conversation.empty
}
