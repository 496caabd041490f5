import type { MarkupContext, References } from './context.ts'
import { parser } from './parser.ts'
import { envOf, newRendering } from './rendering.ts'

/** Notes every name the parser asks about. */
export type Collector = { [kind in keyof References]: Set<References[kind][number]> }

const nothing: MarkupContext = {
  users: new Map(),
  groups: new Map(),
  streams: new Map(),
  customEmoji: new Map(),
  linkifiers: [],
  realmUrl: '',
  translateEmoticons: false,
}

/**
 * What a text refers to, never from inside code. Names of users, groups and streams come in lower case.
 *
 * The text is parsed as in `render`, with an empty world: no name resolves, so the inside of every reference is read
 * as well, and the answer covers whatever the real rendering will ask for.
 */
export function findReferences(content: string): References {
  const collector: Collector = {
    userNames: new Set(),
    userIds: new Set(),
    groupNames: new Set(),
    streamNames: new Set(),
    emojiNames: new Set(),
  }
  // Most messages refer to nothing, and that is cheap to see.
  if (/@_?\*|#\*\*|:[\w+-]+:/.test(content)) parser.parse(content, envOf(newRendering(nothing, collector)))
  return {
    userNames: [...collector.userNames],
    userIds: [...collector.userIds],
    groupNames: [...collector.groupNames],
    streamNames: [...collector.streamNames],
    emojiNames: [...collector.emojiNames],
  }
}
