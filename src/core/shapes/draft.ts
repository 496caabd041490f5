import * as v from 'valibot'
import { id, ids, unixTime } from './values.ts'

export const savedSnippetShape = v.strictObject({ id, title: v.string(), content: v.string(), date_created: unixTime })
export type SavedSnippet = v.InferOutput<typeof savedSnippetShape>

export const draftShape = v.strictObject({
  id,
  /** Empty while it is addressed to nobody. */
  type: v.picklist(['', 'private', 'stream']),
  /** One stream, or people. */
  to: ids,
  topic: v.string(),
  content: v.string(),
  /** When it was last changed. */
  timestamp: unixTime,
})
export type Draft = v.InferOutput<typeof draftShape>
