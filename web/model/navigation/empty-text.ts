import type { Narrow } from '../../../src/client/index.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'

const sentences = (): Readonly<Record<string, string>> => ({
  'is starred': pieceTexts.feed.emptyStarred,
  'is mentioned': pieceTexts.feed.emptyMentions,
  'is alerted': pieceTexts.feed.emptyAlerts,
  'is followed': pieceTexts.feed.emptyFollowed,
  'is unread': pieceTexts.feed.allRead,
  'is dm': pieceTexts.feed.emptyDirect,
})

/** Returns the text of an empty narrow. */
export function emptyText(narrow: Narrow, isSearch: boolean): string {
  const [first] = narrow
  const known = narrow.length === 1 && first && !first.negated && sentences()[`${first.operator} ${first.operand}`]
  if (known) return known
  if (isSearch) return pieceTexts.feed.emptySearch
  return pieceTexts.feed.empty
}
