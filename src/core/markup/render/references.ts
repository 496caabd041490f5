import { linesOf } from '../blocks/parse.ts'
import type { References } from '../context.ts'
import { streamWildcards } from '../inline/mentions.ts'

const mention = /@_?(?:\*\*([^*\n|]{0,200})(?:\|(\d{1,15}))?\*\*|\*([^*\n]{1,200})\*)/y
const streamLink = /#\*\*([^*\n]{1,300})\*\*/y
const emojiName = /:([\p{L}\p{N}\p{M}_+-]{1,100}):/uy

type Names<K extends keyof References> = Set<References[K][number]>

/**
 * Returns what a text may refer to. Names of users, groups and streams are in lower case.
 *
 * The text isn't parsed, since that costs as much as rendering it. Instead, a reference is read wherever one could
 * begin. The result includes references in code, and everything that rendering will look up.
 */
export function findReferences(text: string): References {
  const content = linesOf(text).join('\n')
  const userNames: Names<'userNames'> = new Set()
  const userIds: Names<'userIds'> = new Set()
  const groupNames: Names<'groupNames'> = new Set()
  const streamNames: Names<'streamNames'> = new Set()
  const topics: Names<'topics'> = new Set()
  const emojiNames: Names<'emojiNames'> = new Set()

  for (const [, name, digits, group] of readAt(content, '@', mention)) {
    if (group !== undefined) add(groupNames, group.toLowerCase())
    if (digits === undefined && (streamWildcards.has(name!) || name === 'topic')) continue
    if (name) add(userNames, name.toLowerCase())
    if (digits !== undefined) userIds.add(Number(digits))
  }
  for (const [, text] of readAt(content, '#', streamLink)) {
    // A stream's name may contain `>`, so the whole text is tried too.
    add(streamNames, text!.toLowerCase())
    const arrow = text!.indexOf('>')
    if (arrow < 0) continue
    const name = text!.slice(0, arrow).toLowerCase()
    const topic = text!.slice(arrow + 1)
    add(streamNames, name)
    if (!/@\d{1,15}$/.test(topic)) add(topics, `${name}>${topic}`)
  }
  for (const [, name] of readAt(content, ':', emojiName)) emojiNames.add(name!.normalize('NFC').toLowerCase())

  return {
    userNames: [...userNames],
    userIds: [...userIds],
    groupNames: [...groupNames],
    streamNames: [...streamNames],
    topics: [...topics],
    emojiNames: [...emojiNames],
  }
}

/** In a cell of a table a name's bars are escaped. */
function add(names: Set<string>, name: string): void {
  names.add(name)
  if (name.includes('\\|')) names.add(name.replaceAll('\\|', '|'))
}

/** Reads at each place of a character. Matches may overlap. */
function* readAt(content: string, first: string, pattern: RegExp): Generator<RegExpExecArray> {
  for (let at = content.indexOf(first); at >= 0; at = content.indexOf(first, at + 1)) {
    pattern.lastIndex = at
    const match = pattern.exec(content)
    if (match) yield match
  }
}
