import * as v from 'valibot'
import { attachmentShape } from '../../shapes/attachment.ts'
import { id, integer } from '../../shapes/values.ts'
import { eventByOp } from './define.ts'

/** Bytes of all files of the organization. */
const upload_space_used = integer

export const fileEvents = {
  /** To the owner of a file. */
  attachment: eventByOp('attachment', {
    add: { attachment: attachmentShape, upload_space_used },
    update: { attachment: attachmentShape, upload_space_used },
    remove: { attachment: v.strictObject({ id }), upload_space_used },
  }),
}
