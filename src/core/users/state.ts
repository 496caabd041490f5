import type { StatePart } from '../event-log/state-part.ts'
import { displaySettings, notificationSettings } from '../settings/legacy-names.ts'
import { type UserSettingName, userSettings, userSettingsOf } from '../settings/user.ts'
import { userColumns } from '../user.ts'
import { alertWordsOf } from './alert-words.ts'
import { botView } from './bot-view.ts'
import { mutedUsersOf } from './muted-users.ts'
import { presenceAnswer } from './presence.ts'
import { profileDataOf } from './profile-data.ts'
import { statuses } from './status.ts'
import { avatarUrl, userView } from './view.ts'

/** All accounts: active, deactivated, and the server's own. */
export const usersState: StatePart = async (tx, { client_gravatar }) => {
  const rows = await tx.db.selectFrom('user').select(userColumns).orderBy('id').execute()
  const people = rows.filter((user) => user.bot_type === null)
  const data = await profileDataOf(
    tx,
    people.map((user) => user.id),
  )
  const views = rows.map((user) => {
    const view = userView(user, { client_gravatar })
    return { ...view, ...(user.bot_type === null && { profile_data: data.get(user.id) ?? {} }) }
  })
  const { user } = tx
  return {
    realm_users: views.filter((view) => view.is_active && !('is_system_bot' in view)),
    realm_non_active_users: views.filter((view) => !view.is_active),
    cross_realm_bots: views.filter((view) => view.is_active && 'is_system_bot' in view),
    avatar_source: user.avatar_source,
    avatar_url: avatarUrl(user, false),
    avatar_url_medium: avatarUrl(user, false),
  }
}

/** The user's own bots. */
export const botState: StatePart = async ({ db, user }) => {
  const rows = await db
    .selectFrom('user')
    .select(userColumns)
    .where('bot_owner_id', '=', user.id)
    .orderBy('id')
    .execute()
  return { realm_bots: rows.map(botView), realm_embedded_bots: [], realm_incoming_webhook_bots: [] }
}

const choices = {
  available_notification_sounds: ['ding', 'zulip'],
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'twitter', text: 'Twitter' },
    { key: 'text', text: 'Plain text' },
  ],
}

/** Personal settings. */
export const settingsState: StatePart = async (tx) => ({
  user_settings: { ...(await userSettingsOf(tx)), timezone: tx.user.timezone, ...choices },
})

/** The same in the older form, beside everything else, for clients that know no object of settings. */
const flat =
  (names: ReadonlySet<string>): StatePart =>
  async (tx, { capabilities }) => {
    if (capabilities.user_settings_object) return {}
    const all = Object.entries({ ...(await userSettingsOf(tx)), timezone: tx.user.timezone, ...choices })
    return Object.fromEntries(all.filter(([name]) => names.has(name)))
  }
export const displayState = flat(new Set([...displaySettings, 'emojiset_choices']))
export const notificationState = flat(new Set([...notificationSettings, 'available_notification_sounds']))

const defaults = Object.fromEntries(
  (Object.keys(userSettings) as UserSettingName[]).map((name) => [name, userSettings[name].default]),
)

/** What settings are at first. */
export const settingsDefaultsState: StatePart = async () => ({
  realm_user_settings_defaults: { ...defaults, ...choices },
})

export const alertWordsState: StatePart = async (tx) => ({ alert_words: await alertWordsOf(tx) })
export const mutedUsersState: StatePart = async (tx) => ({ muted_users: await mutedUsersOf(tx) })
export const userStatusState: StatePart = async (tx) => ({ user_status: await statuses(tx) })
export const presenceState: StatePart = (tx, { slim_presence }) => presenceAnswer(tx, { slim: slim_presence })
