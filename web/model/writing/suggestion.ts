import type { Emoji } from './react.ts'

/** Something that the word before the caret may be meant for. */
export interface Suggestion {
  label: string
  /** What tells it from others of the same name. */
  detail?: string
  emoji?: Emoji
  user_id?: number
  /** What takes the place of the word. */
  insert: string
}

/** So many are suggested at a time. */
export const MOST = 8
