import type { ReadonlySignal } from '@preact/signals'
import type { Narrow } from '../../../src/client/index.ts'
import type { Conversation } from './conversations.ts'
import type { Row } from './rows.ts'

/** Whether words are searched for in it. */
export const isSearched = ({ narrow }: FeedView): boolean =>
  narrow.some(({ operator, negated }) => operator === 'search' && !negated)

/** One narrow as it is shown: a stretch of its messages, which grows at both ends and is cut off at the far one. */
export interface FeedView {
  readonly narrow: Narrow
  readonly conversation: Conversation | undefined
  readonly rows: ReadonlySignal<readonly Row[]>
  readonly status: ReadonlySignal<'loading' | 'ready' | 'failed'>
  readonly error: ReadonlySignal<string>
  /** Whether the stretch reaches the oldest and the newest message. */
  readonly atOldest: ReadonlySignal<boolean>
  readonly atNewest: ReadonlySignal<boolean>
  /** Where to begin: at a message, at a place where one was before, or at the bottom. */
  readonly start: ReadonlySignal<{ id: number; top?: number } | undefined>
  /** How often the reader wanted to be at the newest message, and it was there to be shown. */
  readonly newestRequests: ReadonlySignal<number>
  /** Shows some more before those that are shown; what is after `lastKept` by then is not shown any more. */
  older(lastKept: () => number | undefined): Promise<void>
  /** Shows some more after them; what is before `firstKept` by then is not shown any more. */
  newer(firstKept: () => number | undefined): Promise<void>
  /** Shows the newest messages, and has the page scroll to them. */
  toNewest(): Promise<void>
  reload(): Promise<void>
  /** Tells where the reader is, so that a new start of the connection shows the same place. */
  readAt(id: number | undefined): void
  /** The message that was told last; undefined at the newest. */
  readonly place: () => number | undefined
  close(): void
}
