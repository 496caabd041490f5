import { blocksCases } from './cases-blocks.ts'
import { codeCases } from './cases-code.ts'
import { emojiCases } from './cases-emoji.ts'
import { linksCases } from './cases-links.ts'
import { listsCases } from './cases-lists.ts'
import { mentionsCases } from './cases-mentions.ts'
import { textCases } from './cases-text.ts'

/** What it tests, the source, and the HTML, with formulas shortened. */
export type Case = readonly [title: string, content: string, html: string]

export const cases: Readonly<Record<string, readonly Case[]>> = {
  text: textCases,
  code: codeCases,
  blocks: blocksCases,
  lists: listsCases,
  mentions: mentionsCases,
  emoji: emojiCases,
  links: linksCases,
}
