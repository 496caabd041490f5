import type { Env } from 'markdown-it'
import type { MarkupContext } from './context.ts'
import type { Collector } from './references.ts'

/** What one pass over one message carries along: the world, what was found, and what may still be spent. */
export interface Rendering {
  context: MarkupContext
  /** Present when the text is only searched for references: then nothing is known, and every question is noted. */
  collector?: Collector
  userIds: Set<number>
  groupIds: Set<number>
  streamWildcard: boolean
  topicWildcard: boolean
  hasLink: boolean
  hasImage: boolean
  attachmentPaths: Set<string>
  /** Characters that may still be typeset, highlighted, or searched for bare addresses; the rest stays as typed. */
  texLeft: number
  codeLeft: number
  bareLinksLeft: number
}

export function newRendering(context: MarkupContext, collector?: Collector): Rendering {
  return {
    context,
    ...(collector && { collector }),
    userIds: new Set(),
    groupIds: new Set(),
    streamWildcard: false,
    topicWildcard: false,
    hasLink: false,
    hasImage: false,
    attachmentPaths: new Set(),
    texLeft: 2000,
    codeLeft: 4000,
    bareLinksLeft: 5000,
  }
}

const rendering = Symbol('rendering')

export function envOf(state: Rendering): Env {
  return { [rendering]: state }
}

/** The rendering a rule of the parser is working for. */
export function renderingOf(env: Env | undefined): Rendering {
  // The parser hands its rules the environment made by `envOf` and nothing else.
  return env![rendering] as Rendering
}
