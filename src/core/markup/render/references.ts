import { parseBlocks } from '../blocks/parse.ts'
import { blocksHtml } from '../blocks/print.ts'
import type { References } from '../context.ts'
import { type Collector, newState } from '../state.ts'
import { emptyContext } from './render-plain.ts'

/**
 * What a text refers to, never from inside code. Names of users, groups and streams come in lower case.
 *
 * The text is read as in `render`, with an empty world: no name resolves, so the inside of every reference is read as
 * well, and the answer covers whatever the real rendering will ask for.
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
  // Most messages refer to nothing, and that is cheap to see.
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
