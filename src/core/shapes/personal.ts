import * as v from 'valibot'
import { id, integer, unixTime } from './values.ts'

/** A row of the left sidebar. `name` is null for built-in views. */
export const navigationViewShape = v.strictObject({
  fragment: v.string(),
  is_pinned: v.boolean(),
  name: v.nullable(v.string()),
})
export type NavigationView = v.InferOutput<typeof navigationViewShape>

/** A message of the server to the user, about another message, to be sent later. */
export const reminderShape = v.strictObject({
  reminder_id: id,
  type: v.literal('private'),
  /** The user's own id. */
  to: v.array(id),
  content: v.string(),
  rendered_content: v.string(),
  scheduled_delivery_timestamp: unixTime,
  failed: v.boolean(),
  reminder_target_message_id: id,
})
export type ReminderView = v.InferOutput<typeof reminderShape>

/** How push notifications reach a device of the user. All members are null until it registers for them. */
export const deviceShape = v.strictObject({
  push_key_id: v.nullable(integer),
  push_token_id: v.nullable(v.string()),
  pending_push_token_id: v.nullable(v.string()),
  push_token_last_updated_timestamp: v.nullable(unixTime),
  push_registration_error_code: v.nullable(v.string()),
})
export type DeviceView = v.InferOutput<typeof deviceShape>
