import type { ReadonlySignal } from '@preact/signals'
import type { Narrow } from '../../../src/client/index.ts'
import type { Conversation } from './conversations.ts'
import type { Row } from './rows.ts'

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
  /** Where to begin: at a message, or at the bottom. */
  readonly start: ReadonlySignal<number | undefined>
  older(): Promise<void>
  newer(): Promise<void>
  /** Shows the newest messages. */
  toNewest(): Promise<void>
  reload(): Promise<void>
  /** Tells where the reader is, so that a new start of the connection shows the same place. */
  readAt(id: number | undefined): void
  close(): void
}
