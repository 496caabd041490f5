import * as v from 'valibot'
import { id, ids, integer, unixTime } from './values.ts'

/** A file as its owner sees it. */
export const attachmentShape = v.strictObject({
  id,
  name: v.string(),
  /** The end of its address, after `/user_uploads/`. */
  path_id: v.string(),
  /** Bytes. */
  size: integer,
  create_time: unixTime,
  /** Messages that refer to it. */
  message_ids: ids,
})
export type AttachmentView = v.InferOutput<typeof attachmentShape>
