import * as v from 'valibot'
import { id, ids, unixTime } from './values.ts'

export const savedSnippetShape = v.strictObject({ id, title: v.string(), content: v.string(), date_created: unixTime })
export type SavedSnippet = v.InferOutput<typeof savedSnippetShape>

export const draftShape = v.strictObject({
  id,
  /** Empty while it has no recipient. */
  type: v.picklist(['', 'private', 'stream']),
  /** The id of one stream, or ids of users. */
  to: ids,
  topic: v.string(),
  content: v.string(),
  /** When it was last changed. */
  timestamp: unixTime,
})
export type Draft = v.InferOutput<typeof draftShape>
