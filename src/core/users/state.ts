import * as v from 'valibot'
import { peopleInSight } from '../access/people-in-sight.ts'
import { isLimited, unknownAmong } from '../access/user-visibility.ts'
import { statePart } from '../events/log/state-part.ts'
import type { Caller } from '../kernel/context.ts'
import { publicUrlOf } from '../kernel/public-url.ts'
import { isSpectator } from '../kernel/spectator.ts'
import { emojisets, notificationSounds } from '../settings/choices.ts'
import { shownEntries } from '../settings/setting.ts'
import { userSettings, userSettingsOf } from '../settings/user.ts'
import { settingDefaultsOf } from '../settings/user-defaults.ts'
import { presencesShape } from '../shapes/presence.ts'
import { mutedUserShape, userShape, userStatusShape } from '../shapes/user.ts'
import { integer } from '../shapes/values.ts'
import { alertWordsOf } from './alert-words.ts'
import { avatarUrl } from './avatars/avatar-url.ts'
import { mutedUsersOf } from './muted-users.ts'
import { people, profileFor } from './people.ts'
import { peopleLists } from './people-lists.ts'
import { presenceAnswer } from './presence.ts'
import { statuses } from './status.ts'
import { unknownUserView } from './unknown-user.ts'
import { userView } from './view.ts'

const usersEntries = {
  realm_users: v.array(userShape),
  realm_non_active_users: v.array(userShape),
  cross_realm_bots: v.array(userShape),
  avatar_source: v.string(),
  avatar_url: v.nullable(v.string()),
  avatar_url_medium: v.nullable(v.string()),
}

/** All accounts that the user may see: active, deactivated, and the server's own. */
export const usersState = statePart(usersEntries, async (tx, { client_gravatar, capabilities }) => {
  const { user } = tx
  const some = isSpectator(user) || (await isLimited(tx))
  const complete = !capabilities.user_list_incomplete && !isSpectator(user)
  const lists = some
    ? await limitedLists(tx, { client_gravatar, complete })
    : await peopleLists(tx, { client_gravatar })
  return {
    realm_users: lists.active,
    realm_non_active_users: lists.deactivated,
    cross_realm_bots: lists.server,
    avatar_source: user.avatar_source,
    avatar_url: avatarUrl(tx.chat, user),
    avatar_url_medium: avatarUrl(tx.chat, user, 'medium'),
  }
})

/**
 * Returns the lists for limited guests, and for people without an account, who get only the people of messages that they
 * can read. For clients that need a user for every id, placeholders replace hidden users.
 */
async function limitedLists(tx: Caller, options: { client_gravatar: boolean; complete: boolean }) {
  const { users: all, values } = await people.get(tx)
  const inSight = isSpectator(tx.user) ? await peopleInSight(tx) : undefined
  const users = inSight ? all.filter(({ id, is_system_bot }) => is_system_bot === 1 || inSight.has(id)) : all
  const unknown = await unknownAmong(
    tx,
    users.filter((user) => user.bot_type === null).map((user) => user.id),
  )
  const views = users
    .filter((user) => !unknown.has(user.id))
    .map((user) => ({
      ...userView(tx.chat, user, { client_gravatar: options.client_gravatar, reader: tx.user }),
      ...(user.bot_type === null && { profile_data: profileFor(tx.user, values.get(user.id)) }),
    }))
  const others = options.complete ? [...unknown].map((id) => unknownUserView(publicUrlOf(tx.chat), id)) : []
  return {
    active: [...views.filter((view) => view.is_active && !('is_system_bot' in view)), ...others],
    deactivated: views.filter((view) => !view.is_active),
    server: views.filter((view) => view.is_active && 'is_system_bot' in view),
  }
}

const choices = { available_notification_sounds: notificationSounds, emojiset_choices: [...emojisets] }

const choicesEntries = {
  available_notification_sounds: v.array(v.string()),
  emojiset_choices: v.array(v.strictObject({ key: v.string(), text: v.string() })),
}
const userSettingEntries = shownEntries(userSettings)
const settingsEntries = { ...userSettingEntries, timezone: v.string(), ...choicesEntries }

/** Personal settings. */
export const settingsState = statePart({ user_settings: v.strictObject(settingsEntries) }, async (tx) => ({
  user_settings: { ...(await userSettingsOf(tx)), timezone: tx.user.timezone, ...choices },
}))

/** The default settings. */
export const settingsDefaultsState = statePart(
  { realm_user_settings_defaults: v.strictObject({ ...userSettingEntries, ...choicesEntries }) },
  async (tx) => ({ realm_user_settings_defaults: { ...(await settingDefaultsOf(tx)), ...choices } }),
)

export const alertWordsState = statePart({ alert_words: v.array(v.string()) }, async (tx) => ({
  alert_words: await alertWordsOf(tx),
}))
export const mutedUsersState = statePart({ muted_users: v.array(mutedUserShape) }, async (tx) => ({
  muted_users: await mutedUsersOf(tx),
}))
export const userStatusState = statePart({ user_status: v.record(v.string(), userStatusShape) }, async (tx) => ({
  user_status: await statuses(tx),
}))
export const presenceState = statePart(
  { presences: presencesShape, presence_last_update_id: integer, server_timestamp: v.number() },
  (tx, { slim_presence, capabilities, presence_history_limit_days: days }) =>
    presenceAnswer(tx, { slim: slim_presence || capabilities.simplified_presence_events === true, days }),
)
