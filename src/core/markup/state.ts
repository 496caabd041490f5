import type { MarkupContext, References } from './context.ts'

/** Records every name the rules look up. */
export type Collector = { [kind in keyof References]: Set<References[kind][number]> }

/** A link of one text: its URL and its label. */
export interface NotedLink {
  href: string
  text: string
}

/** The state of rendering one message: the context, what was found, and the remaining budgets. */
export interface RenderState {
  context: MarkupContext
  /** Present when the text is only searched for references: then no name resolves, and every look-up is recorded. */
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
  /** Finished parts of texts, represented there by placeholders. */
  parts: Part[]
  /** Remaining characters to be typeset, highlighted, or searched for bare addresses; the rest stays as typed. */
  texLeft: number
  codeLeft: number
  bareLinksLeft: number
  /** The remaining budget for linkifiers, in units of their `cost`. */
  linkifierWorkLeft: number
}

export interface Part {
  html: string
  /** The source, where the part must be undone inside a link. */
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
    // A search for references needs no highlighting.
    texLeft: collector ? 0 : 2000,
    codeLeft: collector ? 0 : 4000,
    bareLinksLeft: collector ? 0 : 20_000,
    linkifierWorkLeft: 1_000_000,
  }
}
