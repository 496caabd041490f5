import type { ReadonlySignal } from '@preact/signals'
import type { Narrow } from '../../../src/client/index.ts'
import type { Conversation } from './conversations.ts'
import type { Row } from './rows.ts'

/** Returns whether it is a text search. */
export const isSearched = ({ narrow }: FeedView): boolean =>
  narrow.some(({ operator, negated }) => operator === 'search' && !negated)

/** A displayed narrow: a range of its messages that grows at both ends and is cut off at the far one. */
export interface FeedView {
  readonly narrow: Narrow
  readonly conversation: Conversation | undefined
  readonly rows: ReadonlySignal<readonly Row[]>
  readonly status: ReadonlySignal<'loading' | 'ready' | 'failed'>
  readonly error: ReadonlySignal<unknown>
  /** Whether the stretch reaches the oldest and the newest message. */
  readonly atOldest: ReadonlySignal<boolean>
  readonly atNewest: ReadonlySignal<boolean>
  /** Where to start: at a message, at a place the reader left, or at the bottom. */
  readonly start: ReadonlySignal<{ id: number; top?: number } | undefined>
  /** Incremented when the reader asks for the newest message and it can be shown. */
  readonly newestRequests: ReadonlySignal<number>
  /** Shows earlier messages, and removes the ones after `lastKept`. */
  older(lastKept: () => number | undefined): Promise<void>
  /** Shows later messages, and removes the ones before `firstKept`. */
  newer(firstKept: () => number | undefined): Promise<void>
  /** Shows the newest messages, and scrolls to them. */
  toNewest(): Promise<void>
  reload(): Promise<void>
  /** Sets the reading place, which stays the same after the live state registers again. */
  readAt(id: number | undefined): void
  /** The message passed to `readAt` last. Undefined at the newest message. */
  readonly place: () => number | undefined
  close(): void
}
