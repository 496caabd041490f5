/** The properties of a message that narrows match against, for one reader. */
export interface MatchInput {
  id: number
  sender_id: number
  /** null for direct messages. */
  stream_id: number | null
  /** The topic's folded name; null for direct messages. */
  topic_key: string | null
  /** Sorted ids of a direct conversation's people; null in streams. */
  participants: readonly number[] | null
  /** Flags as the API names them. */
  flags: readonly string[]
  has_link: boolean
  has_image: boolean
  has_attachment: boolean
  has_reaction: boolean
  /** The rendered content. */
  html(): string
  /** The text for searches; computed only when needed. */
  search_text(): string
}
