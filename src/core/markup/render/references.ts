import { parseBlocks } from '../blocks/parse.ts'
import { blocksHtml } from '../blocks/print.ts'
import type { References } from '../context.ts'
import { type Collector, newState } from '../state.ts'
import { emptyContext } from './render-plain.ts'

/**
 * What a text refers to, outside code. Names of users, groups and streams are in lower case.
 *
 * The text is parsed as in `render`, with an empty context: no name resolves, so the inside of every reference
 * is parsed as well, and the result covers everything the real rendering will look up.
 */
export function findReferences(content: string): References {
  const collector: Collector = {
    userNames: new Set(),
    userIds: new Set(),
    groupNames: new Set(),
    streamNames: new Set(),
    topics: new Set(),
    emojiNames: new Set(),
  }
  // Most messages refer to nothing, which is cheap to check.
  if (/@_?\*|#\*\*|:[\p{L}\p{N}_+-]+:/u.test(content))
    blocksHtml(parseBlocks(content), newState(emptyContext, collector))
  return {
    userNames: [...collector.userNames],
    userIds: [...collector.userIds],
    groupNames: [...collector.groupNames],
    streamNames: [...collector.streamNames],
    topics: [...collector.topics],
    emojiNames: [...collector.emojiNames],
  }
}
