import type { Narrow } from '../../../src/client/index.ts'

const sentences: Readonly<Record<string, string>> = {
  'is starred': 'You have starred nothing. The star beside a message keeps it here.',
  'is mentioned': 'Nobody has mentioned you yet.',
  'is alerted': 'None of your alert words has been written.',
  'is followed': 'Nothing has been written in topics that you follow.',
  'is unread': 'You have read everything.',
  'is dm': 'You have written with nobody yet.',
}

/** What is said where a narrow has no messages. */
export function emptySentence(narrow: Narrow, isSearch: boolean): string {
  const [first] = narrow
  const known = narrow.length === 1 && first && !first.negated && sentences[`${first.operator} ${first.operand}`]
  if (known) return known
  if (isSearch) return 'Nothing was found. Fewer words, or fewer operators, find more.'
  return 'There are no messages here yet. What you write is the first.'
}
