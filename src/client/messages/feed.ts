import { encode } from '../request.ts'
import type { Narrow } from './narrow.ts'
import { isIn, type Span } from './spans.ts'

export interface Window {
  /** The id of a message, or the place to start. */
  anchor: number | 'newest' | 'oldest' | 'first_unread'
  /** How many messages to load before and after the anchor. */
  before: number
  after: number
}

/** The span that includes the loaded window, and the id of its anchor. */
export interface Loaded {
  span: Span
  anchor: number
}

/** The known messages of one narrow. */
export interface Feed {
  readonly narrow: Narrow
  /** Ascending and disjoint. Replaced when it changes. */
  readonly spans: readonly Span[]
  /** Whether the spans come from storage. Their end at the newest message is then out of date. */
  readonly isKept: boolean
  /**
   * Sets the message that is being read; the newest by default. When many messages are known, the store may forget the
   * ones far from it.
   */
  readAt(id: number | undefined): void
  /** Fetches a window. A window that is already being fetched isn't requested twice. */
  load(window: Window): Promise<Loaded>
  /**
   * Marks what is known as unreliable, for instance for a stream without a subscription, whose new messages cause no
   * events.
   */
  forget(): void
}

export const asShown = { apply_markdown: true, client_gravatar: true, allow_empty_topic_name: true }

export const covers = (spans: readonly Span[], id: number): boolean => spans.some((span) => isIn(span, id))

/** Returns the parameters of the request for a window. */
export const windowRequest = (narrow: Narrow, { anchor, before: num_before, after: num_after }: Window) => ({
  anchor,
  num_before,
  num_after,
  narrow: sentNarrow(narrow),
  ...asShown,
})

/**
 * Returns the path and the query, without a slash at the beginning, with which `Feed.load` asks for a window. A page can
 * make this request before its script is loaded.
 */
export const messagesPath = (narrow: Narrow, window: Window): string =>
  encode('GET', 'messages', windowRequest(narrow, window)).path

/** Returns a narrow in the format of requests. */
export const sentNarrow = (narrow: Narrow) =>
  narrow.map(({ operator, operand, negated = false }) => ({
    operator,
    operand: typeof operand === 'object' ? [...operand] : operand,
    negated,
  }))
