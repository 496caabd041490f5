/** Something that the word before the caret may be meant for. */
export interface Suggestion {
  label: string
  /** Distinguishes it from others with the same name. */
  detail?: string
  /** Of an emoji. */
  characters?: string
  user_id?: number
  /** What takes the place of the word. */
  insert: string
}

/** The number of suggestions shown. */
export const MOST = 8
