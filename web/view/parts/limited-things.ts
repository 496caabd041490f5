import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'

/** What limits are for, by the words of the server's sentences. The settings add theirs. */
export const limitedThings: (readonly [RegExp, string])[] = [
  [/\bdrafts\b/, texts.places.drafts],
  [/\bscheduled messages\b/, texts.places.scheduled],
  [/\bsnippets\b/, pieceTexts.snippets.title],
  [/\b(?:people|recipients)\b/, texts.places.people],
  [/\b(?:files|uploads)\b/, pieceTexts.attachments.files],
]
