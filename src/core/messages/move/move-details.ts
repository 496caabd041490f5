import type { Message } from '../../access/messages.ts'
import type { AccessedStream } from '../../streams/access.ts'
import type { MovedMessage, PropagateMode } from './selection.ts'

/** A stream and a topic in it. */
export interface Destination {
  stream: AccessedStream
  topic: string
}

/** What happened: who reads about it, and in which words, is for others. */
export interface Move {
  message: Message
  moved: readonly MovedMessage[]
  mode: PropagateMode
  from: Destination
  to: Destination
  /** How many messages move in all, where they go in several writes. */
  total: number
  /** Nothing of the topic stays behind. */
  whole: boolean
  /** Nothing was there before. */
  intoNew: boolean
  /** The topic stays, and is only written otherwise. */
  changesSpellingOnly: boolean
  at: number
}

export interface MoveOptions {
  mode: PropagateMode
  notifyOldThread: boolean
  notifyNewThread: boolean
}
