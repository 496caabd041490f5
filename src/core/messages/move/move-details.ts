import type { Message } from '../../access/messages.ts'
import type { AccessedStream } from '../../streams/access.ts'
import type { MovedMessage, PropagateMode } from './selection.ts'

/** A stream and a topic in it. */
export interface Destination {
  stream: AccessedStream
  topic: string
}

/** The effect of a move. Other modules decide who is notified, and how. */
export interface Move {
  message: Pick<Message, 'id' | 'topic_id'>
  moved: readonly MovedMessage[]
  mode: PropagateMode
  from: Destination
  to: Destination
  /** How many messages move in total, where it takes several writes. */
  total: number
  /** Whether no message of the topic stays behind. */
  whole: boolean
  /** Whether the new topic had no messages before. */
  intoNew: boolean
  /** Whether only the spelling (case) of the topic changes. */
  changesSpellingOnly: boolean
  at: number
}

export interface MoveOptions {
  mode: PropagateMode
  notifyOldThread: boolean
  notifyNewThread: boolean
}
