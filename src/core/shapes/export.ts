import * as v from 'valibot'
import { id, integer, unixTime } from './values.ts'

/** An archive of the organization's data. */
export const exportShape = v.strictObject({
  id,
  acting_user_id: id,
  export_time: unixTime,
  /** Without private data, or with that of those who agreed; by number before feature level 449. */
  export_type: v.union([v.picklist(['public', 'full_with_consent']), integer]),
  pending: v.boolean(),
  failed_timestamp: v.nullable(unixTime),
  deleted_timestamp: v.nullable(unixTime),
  /** null while there is nothing to be had. */
  export_url: v.nullable(v.string()),
})
export type ExportView = v.InferOutput<typeof exportShape>

/** Whether a user agrees that administrators export their private data. */
export const consentShape = v.strictObject({
  user_id: id,
  consented: v.boolean(),
  /** To whom the address of the account is shown. */
  email_address_visibility: integer,
})
