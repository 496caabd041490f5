import * as v from 'valibot'
import { id, integer, unixTime } from './values.ts'

/** An archive of the organization's data. */
export const exportShape = v.strictObject({
  id,
  acting_user_id: id,
  export_time: unixTime,
  /** `full_with_consent` includes private data of users who agreed. */
  export_type: v.picklist(['public', 'full_with_consent']),
  pending: v.boolean(),
  failed_timestamp: v.nullable(unixTime),
  deleted_timestamp: v.nullable(unixTime),
  /** null while there is nothing to download. */
  export_url: v.nullable(v.string()),
})
export type ExportView = v.InferOutput<typeof exportShape>

/** Whether a user allows administrators to export their private data. */
export const consentShape = v.strictObject({
  user_id: id,
  consented: v.boolean(),
  /** Who sees the address of the account. */
  email_address_visibility: integer,
})

/** An archive of one person's own data. */
export const ownExportShape = v.strictObject({
  id,
  export_time: unixTime,
  pending: v.boolean(),
  failed_timestamp: v.nullable(unixTime),
  /** When it is deleted; null until it is complete. */
  expires_at: v.nullable(unixTime),
  /** In bytes. */
  size: v.nullable(integer),
  /** null while there is nothing to download. */
  export_url: v.nullable(v.string()),
})
