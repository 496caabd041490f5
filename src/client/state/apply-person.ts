import type { ChatEvent } from '../../core/events/types/table.ts'
import { roles } from '../../core/kernel/roles.ts'
import type { LegacyPresence } from '../../core/shapes/presence.ts'
import type { UserView } from '../../core/shapes/user.ts'
import type { ClientState } from './client-state.ts'

export const userLists = ['realm_users', 'realm_non_active_users', 'cross_realm_bots'] as const

/** Renames the key of a presence, for clients that get presences by email address. */
function renameEmail(state: ClientState, user: UserView, email: string): void {
  const presences = state.presences as Record<string, LegacyPresence>
  const known = presences[user.email]
  if (known) {
    delete presences[user.email]
    presences[email] = known
  }
  user.email = email
}

type PersonChange = Extract<ChatEvent<'realm_user'>, { op: 'update' }>['person']

export function updateUser(state: ClientState, person: PersonChange): void {
  const list = userLists.find((name) => state[name].some((one) => one.user_id === person.user_id))
  // The user has an entry even in a state without other users.
  if (person.user_id === state.user_id) updateOwn(state, person)
  if (!list) return
  const user = state[list].find((one) => one.user_id === person.user_id)!
  if ('custom_profile_field' in person) {
    setProfileField(user, person.custom_profile_field)
    return
  }
  if ('avatar_url' in person) {
    const { avatar_url, avatar_version } = person
    Object.assign(user, { avatar_url, avatar_version })
  } else if ('new_email' in person) renameEmail(state, user, person.new_email)
  else Object.assign(user, person)
  if ('role' in person) Object.assign(user, flagsOfRole(person.role))
  if ('is_active' in person) {
    state[list] = state[list].filter((one) => one !== user)
    state[person.is_active ? 'realm_users' : 'realm_non_active_users'].push(user)
  }
}

function updateOwn(state: ClientState, person: PersonChange): void {
  if ('full_name' in person) state.full_name = person.full_name
  if ('new_email' in person) state.email = person.new_email
  if ('delivery_email' in person) state.delivery_email = person.delivery_email!
  if ('avatar_url' in person) {
    // Clients that compute Gravatar addresses lose the old picture until they have computed the user's own.
    const { avatar_source, avatar_url, avatar_url_medium } = person
    const shown = { avatar_url: avatar_url ?? NO_GRAVATAR, avatar_url_medium: avatar_url_medium ?? NO_GRAVATAR }
    Object.assign(state, { avatar_source, ...shown })
  }
  if ('role' in person)
    Object.assign(state, flagsOfRole(person.role), { is_moderator: isModerator(state, person.role) })
}

/** Administrators and owners count as moderators from a feature level on. */
const isModerator = ({ zulip_feature_level: level }: ClientState, role: number): boolean =>
  role === roles.moderator || (level >= 380 && role < roles.moderator)

const NO_GRAVATAR = 'https://secure.gravatar.com/avatar/?d=identicon'

const flagsOfRole = (role: number) => ({
  is_owner: role === roles.owner,
  is_admin: role <= roles.administrator,
  is_guest: role === roles.guest,
})

interface FieldValue {
  id: number
  value: string | null
  rendered_value?: string
}

function setProfileField({ profile_data }: UserView, { id, value, rendered_value }: FieldValue): void {
  // Bots have no profile data.
  if (!profile_data) return
  if (value === null) delete profile_data[id]
  else profile_data[id] = { value, ...(rendered_value !== undefined && { rendered_value }) }
}
