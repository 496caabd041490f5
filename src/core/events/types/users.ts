import * as v from 'valibot'
import { deviceShape, navigationViewShape } from '../../shapes/personal.ts'
import { clientPresenceShape, slimPresenceShape } from '../../shapes/presence.ts'
import { userSettingValue } from '../../shapes/setting.ts'
import { botShape, mutedUserShape, onboardingStepShape, userShape, userStatusShape } from '../../shapes/user.ts'
import { id, integer, optional } from '../../shapes/values.ts'
import { event, eventByOp } from './define.ts'

/** A change of one property of a user. */
const changedPerson = v.union([
  v.strictObject({ user_id: id, full_name: v.string() }),
  /** The email address; null for readers who may not see it. */
  v.strictObject({ user_id: id, delivery_email: v.nullable(v.string()) }),
  /** The address that others see. */
  v.strictObject({ user_id: id, new_email: v.string() }),
  v.strictObject({ user_id: id, role: integer }),
  v.strictObject({ user_id: id, is_active: v.boolean() }),
  /** The person's data was erased. */
  v.strictObject({ user_id: id, is_deleted: v.literal(true) }),
  /** The first sign-in to an account that an administrator created; ISO 8601. */
  v.strictObject({ user_id: id, date_joined: v.string() }),
  v.strictObject({ user_id: id, bot_owner_id: id }),
  v.strictObject({
    user_id: id,
    avatar_source: v.picklist(['G', 'J', 'U']),
    /** null if the reader computes Gravatar addresses itself. */
    avatar_url: v.nullable(v.string()),
    avatar_url_medium: v.nullable(v.string()),
    avatar_version: integer,
  }),
  v.strictObject({ user_id: id, email: v.string(), timezone: v.string() }),
  v.strictObject({
    user_id: id,
    custom_profile_field: v.strictObject({
      id,
      /** null for a cleared value. */
      value: v.nullable(v.string()),
      rendered_value: v.exactOptional(v.string()),
    }),
  }),
])

/** A user who became invisible to a guest. */
const formerPerson = v.strictObject({ user_id: id, full_name: v.string() })

const changed = <E extends v.ObjectEntries>(entries: E) => v.strictObject({ user_id: id, ...entries })
const { user_id: _, ...botEntries } = botShape.entries
/** A change of a bot, one property at a time. */
const changedBot = v.union([
  changed({ services: botEntries.services }),
  changed({ default_sending_stream: botEntries.default_sending_stream }),
  changed({ default_events_register_stream: botEntries.default_events_register_stream }),
  changed({ default_all_public_streams: botEntries.default_all_public_streams }),
])

const presence = {
  user_id: id,
  server_timestamp: integer,
  presence: v.strictObject({ website: clientPresenceShape }),
}

export const userEvents = {
  realm_user: eventByOp(
    'realm_user',
    {
      add: {
        person: userShape,
        /** The readers who see the address: this role and more powerful ones. */
        email_shown_to: v.exactOptional(integer),
        /** Only a placeholder, for clients that need a user for every id. */
        is_unknown: v.exactOptional(v.literal(true)),
      },
      update: { person: changedPerson, email_shown_to: v.exactOptional(integer) },
      remove: { person: formerPerson },
    },
    { read: { add: { person: userShape }, update: { person: changedPerson }, remove: { person: formerPerson } } },
  ),

  realm_bot: eventByOp('realm_bot', {
    add: { bot: botShape },
    update: { bot: changedBot },
    /** It now has another owner, who isn't named. */
    delete: { bot: v.strictObject({ user_id: id }) },
  }),

  user_status: event('user_status', {
    user_id: id,
    /** Unchanged members are missing. An empty text, or an emoji without a name, means it was removed. */
    ...userStatusShape.entries,
  }),

  presence: event(
    'presence',
    {
      ...presence,
      email: v.string(),
      presence: v.strictObject({ ...presence.presence.entries, slim: slimPresenceShape }),
    },
    {
      read: {
        ...optional(presence),
        email: v.exactOptional(v.string()),
        /** By user id, to clients with the capability `simplified_presence_events`, and then nothing else. */
        presences: v.exactOptional(v.record(v.string(), slimPresenceShape)),
      },
      transient: true,
    },
  ),

  user_settings: eventByOp('user_settings', {
    update: {
      property: v.string(),
      value: userSettingValue,
      /** The language's name for itself, if the property is default_language. */
      language_name: v.exactOptional(v.string()),
    },
  }),
  navigation_view: eventByOp('navigation_view', {
    add: { navigation_view: navigationViewShape },
    update: {
      fragment: v.string(),
      data: v.strictObject({ is_pinned: v.exactOptional(v.boolean()), name: v.exactOptional(v.string()) }),
    },
    remove: { fragment: v.string() },
  }),
  /** Only what changed. */
  device: eventByOp('device', {
    add: { device_id: id },
    update: { device_id: id, ...optional(deviceShape.entries) },
    remove: { device_id: id },
  }),

  alert_words: event('alert_words', { alert_words: v.array(v.string()) }),
  /** The hints that the user hasn't seen. */
  onboarding_steps: event('onboarding_steps', { onboarding_steps: v.array(onboardingStepShape) }),
  /** A moderator has silenced a user, or lifted it. For the user and the moderators; it ends without an event. */
  restriction: event('restriction', {
    user_id: id,
    /** Unix time in seconds; null if it was lifted. */
    silenced_until: v.nullable(integer),
  }),
  muted_users: event('muted_users', { muted_users: v.array(mutedUserShape) }),
}
