import type { StatePart } from '../events/state.ts'
import { userColumns } from './access.ts'
import { profileDataOf } from './profile-data.ts'
import { userSettingsOf } from './settings.ts'
import { userView } from './view.ts'

/** All accounts: active, deactivated, and the server's own. */
export const usersState: StatePart = async (tx, { client_gravatar, capabilities }) => {
  const rows = await tx.db.selectFrom('user').select(userColumns).orderBy('id').execute()
  const people = rows.filter((user) => user.bot_type === null)
  const data = await profileDataOf(
    tx,
    people.map((user) => user.id),
  )
  const views = rows.map((user) => {
    const view = userView(user, { client_gravatar: client_gravatar && !capabilities.user_avatar_url_field_optional })
    return { ...view, ...(user.bot_type === null && { profile_data: data.get(user.id) ?? {} }) }
  })
  const own = rows.filter((user) => user.bot_owner_id === tx.user.id)
  return {
    realm_users: views.filter((user) => user.is_active && !('is_system_bot' in user)),
    realm_non_active_users: views.filter((user) => !user.is_active),
    cross_realm_bots: views.filter((user) => 'is_system_bot' in user),
    realm_bots: own.map((user) => ({ user_id: user.id, full_name: user.full_name, email: user.email })),
    avatar_source: tx.user.avatar_source,
    avatar_url: userView(tx.user, { client_gravatar: false }).avatar_url,
    avatar_url_medium: userView(tx.user, { client_gravatar: false }).avatar_url,
  }
}

const extras = {
  available_notification_sounds: ['ding', 'zulip'],
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'twitter', text: 'Twitter' },
    { key: 'text', text: 'Plain text' },
  ],
}

/** Personal settings, as an object, and in the old form beside it for clients that know no other. */
export const settingsState: StatePart = async (tx, { capabilities }) => {
  const user_settings = { ...(await userSettingsOf(tx)), timezone: tx.user.timezone, ...extras }
  return { user_settings, ...(capabilities.user_settings_object ? {} : user_settings) }
}
