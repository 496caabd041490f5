import type { MarkupContext } from './context.ts'

/** A link of one text: its URL and its label. */
export interface NotedLink {
  href: string
  text: string
}

/** The state of rendering one message: the context, what was found, and the remaining budgets. */
export interface RenderState {
  context: MarkupContext
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

export function newState(context: MarkupContext): RenderState {
  return {
    context,
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
    texLeft: 2000,
    codeLeft: 4000,
    bareLinksLeft: 20_000,
    linkifierWorkLeft: 1_000_000,
  }
}
