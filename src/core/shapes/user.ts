import * as v from 'valibot'
import { reactionType } from './emoji.ts'
import { id, integer, unixTime } from './values.ts'

/** A value of a custom profile field. `rendered_value` is HTML, for types of fields that have it. */
export const profileValueShape = v.strictObject({ value: v.string(), rendered_value: v.exactOptional(v.string()) })
export type ProfileValueView = v.InferOutput<typeof profileValueShape>

/** By the field's id. */
export const profileDataShape = v.record(v.string(), profileValueShape)
export type ProfileData = v.InferOutput<typeof profileDataShape>

/** A user (specification, User record). */
export const userShape = v.strictObject({
  user_id: id,
  /** The address of the account if everyone may see it, otherwise a made-up one. */
  email: v.string(),
  /** The email address; null for readers who may not see it. */
  delivery_email: v.nullable(v.string()),
  full_name: v.string(),
  /** null if the reader computes Gravatar addresses itself. */
  avatar_url: v.nullable(v.string()),
  avatar_version: integer,
  /** null for people; 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  bot_type: v.nullable(integer),
  bot_owner_id: v.exactOptional(v.nullable(id)),
  /** ISO 8601. */
  date_joined: v.string(),
  is_active: v.boolean(),
  is_admin: v.boolean(),
  is_billing_admin: v.boolean(),
  is_bot: v.boolean(),
  is_guest: v.boolean(),
  is_owner: v.boolean(),
  /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
  role: integer,
  /** A name of the IANA database, or empty. */
  timezone: v.string(),
  is_system_bot: v.exactOptional(v.boolean()),
  /** Whether it was made by an import and nobody has signed in to it yet. */
  is_imported_stub: v.boolean(),
  /** Present if the person's data was erased. */
  is_deleted: v.exactOptional(v.literal(true)),
  profile_data: v.exactOptional(profileDataShape),
})
export type UserView = v.InferOutput<typeof userShape>

/** The endpoint of an outgoing webhook. `interface` is 1 for the generic format and 2 for Slack's. */
const botServiceShape = v.strictObject({ base_url: v.string(), interface: integer, token: v.string() })

/** A bot as its owner and administrators see it. Its name, address and owner are in its entry of the users. */
export const botShape = v.strictObject({
  user_id: id,
  /** Name of a stream. */
  default_sending_stream: v.nullable(v.string()),
  default_events_register_stream: v.nullable(v.string()),
  default_all_public_streams: v.boolean(),
  /** One for an outgoing webhook, none for others. */
  services: v.array(botServiceShape),
})
export type BotView = v.InferOutput<typeof botShape>

/** A user's status. Members without a value are missing. */
export const userStatusShape = v.strictObject({
  away: v.exactOptional(v.boolean()),
  status_text: v.exactOptional(v.string()),
  emoji_name: v.exactOptional(v.string()),
  emoji_code: v.exactOptional(v.string()),
  reaction_type: v.exactOptional(reactionType),
})
export type StatusView = v.InferOutput<typeof userStatusShape>

export const mutedUserShape = v.strictObject({
  id,
  timestamp: unixTime,
  /** The two can't write to each other; absent for people who are only muted. */
  is_blocked: v.exactOptional(v.literal(true)),
})

/** A custom profile field. */
export const profileFieldShape = v.strictObject({
  id,
  name: v.string(),
  /** A number of `custom_profile_field_types`. */
  type: integer,
  hint: v.string(),
  /** JSON, in the format of the field's type; empty for most types. */
  field_data: v.string(),
  order: integer,
  /** Absent unless profile cards show it. */
  display_in_profile_summary: v.exactOptional(v.literal(true)),
  required: v.boolean(),
  editable_by_user: v.boolean(),
  /** Whether clients find people by it; absent where they do not. */
  use_for_user_matching: v.exactOptional(v.literal(true)),
})
export type ProfileFieldView = v.InferOutput<typeof profileFieldShape>

/** A hint that clients show new users once. */
export const onboardingStepShape = v.strictObject({ type: v.literal('one_time_notice'), name: v.string() })
