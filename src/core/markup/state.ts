import type { MarkupContext, References } from './context.ts'

/** Notes every name the rules ask about. */
export type Collector = { [kind in keyof References]: Set<References[kind][number]> }

/** A link of one text: where it leads and what it is called. */
export interface NotedLink {
  href: string
  text: string
}

/** What one pass over one message carries along: the world, what was found, and what may still be spent. */
export interface RenderState {
  context: MarkupContext
  /** Present when the text is only searched for references: then no name is known, and every question is noted. */
  collector?: Collector
  userIds: Set<number>
  groupIds: Set<number>
  streamWildcard: boolean
  topicWildcard: boolean
  hasLink: boolean
  hasImage: boolean
  attachmentPaths: Set<string>
  /** Blocks of quotation around the text being rendered. */
  quotes: number
  /** Links of the text being rendered. */
  links: NotedLink[]
  /** Finished parts of texts, which stand in them as placeholders. */
  parts: Part[]
  /** Characters that may still be typeset, highlighted, or searched for bare addresses; the rest stays as typed. */
  texLeft: number
  codeLeft: number
  bareLinksLeft: number
  /** What may still be spent on linkifiers, by their `cost`. */
  linkifierWorkLeft: number
}

export interface Part {
  html: string
  /** What was typed, kept where the part must be taken back inside a link. */
  typed?: string
}

export function newState(context: MarkupContext, collector?: Collector): RenderState {
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
    quotes: 0,
    links: [],
    parts: [],
    // A search for references needs no colours.
    texLeft: collector ? 0 : 2000,
    codeLeft: collector ? 0 : 4000,
    bareLinksLeft: collector ? 0 : 20_000,
    linkifierWorkLeft: 1_000_000,
  }
}
