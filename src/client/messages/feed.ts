import type { Narrow } from './narrow.ts'
import { isIn, type Span } from './spans.ts'

export interface Window {
  /** Id of a message, or where to begin. */
  anchor: number | 'newest' | 'oldest' | 'first_unread'
  /** How many messages before and after it. */
  before: number
  after: number
}

/** The span that a window became part of, and the id of its anchor. */
export interface Loaded {
  span: Span
  anchor: number
}

/** Messages of one narrow, as far as they are known. */
export interface Feed {
  readonly narrow: Narrow
  /** Ascending; none meets another. Replaced when it changes. */
  readonly spans: readonly Span[]
  /** Whether the spans were kept from before: what goes on to the newest message did so then. */
  readonly isKept: boolean
  /** Says which message is read: those far from it may be forgotten when many are known. The newest unless it is said. */
  readAt(id: number | undefined): void
  /** Fetches a window. One that is being fetched already is not asked for twice. */
  load(window: Window): Promise<Loaded>
  /** Says that what is known is not to be relied on: as of a stream that one is not in, whose new messages come by no event. */
  forget(): void
}

export const asShown = { apply_markdown: true, client_gravatar: true, allow_empty_topic_name: true }

export const covers = (spans: readonly Span[], id: number): boolean => spans.some((span) => isIn(span, id))

/** A narrow as requests name it. */
export const sentNarrow = (narrow: Narrow) =>
  narrow.map(({ operator, operand, negated = false }) => ({
    operator,
    operand: typeof operand === 'object' ? [...operand] : operand,
    negated,
  }))
