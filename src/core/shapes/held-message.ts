import * as v from 'valibot'
import { id, ids, unixTime } from './values.ts'

export const heldReasons = ['new_account', 'filter'] as const

/** A message that waits for a moderator's approval. */
export const heldMessageShape = v.strictObject({
  id,
  user_id: id,
  /** Where it will be: a topic, or the participants of a direct conversation. */
  place: v.union([v.strictObject({ stream_id: id, topic: v.string() }), v.strictObject({ user_ids: ids })]),
  /** Its Markdown, and the texts of the poll, to-do list or form that it starts. */
  content: v.string(),
  /** Whether it waits because its author is new, or because a content filter matches. */
  reason: v.picklist(heldReasons),
  /** The patterns of the filters that match; empty for members. */
  matched: v.string(),
  created_at: unixTime,
})
export type HeldMessageView = v.InferOutput<typeof heldMessageShape>
