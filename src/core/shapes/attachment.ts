import * as v from 'valibot'
import { id, integer } from './values.ts'

const milliseconds = v.pipe(integer, v.description('Unix time in milliseconds'))

/** A file as its owner sees it. */
export const attachmentShape = v.strictObject({
  id,
  name: v.string(),
  /** The end of its address, after `/user_uploads/`. */
  path_id: v.string(),
  /** Bytes. */
  size: integer,
  create_time: milliseconds,
  /** Messages that refer to it. */
  messages: v.array(v.strictObject({ id, date_sent: milliseconds })),
})
export type AttachmentView = v.InferOutput<typeof attachmentShape>
