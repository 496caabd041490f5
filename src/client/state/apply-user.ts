import type { ChatEvent } from '../../core/event-log/types/table.ts'
import { roles } from '../../core/roles.ts'
import type { LegacyPresence, SlimPresence } from '../../core/shapes/presence.ts'
import type { UserView } from '../../core/shapes/user.ts'
import { sorted, without } from './apply-message.ts'
import type { ClientState, Reducers } from './client-state.ts'
import { deriveOwnRights } from './own-rights.ts'

const userLists = ['realm_users', 'realm_non_active_users', 'cross_realm_bots'] as const

export const userReducers = {
  realm_user(state, event) {
    if (event.op === 'add') {
      const { person } = event
      for (const list of userLists) state[list] = state[list].filter((one) => one.user_id !== person.user_id)
      const list = person.is_active ? state.realm_users : state.realm_non_active_users
      list.push({ ...(!person.is_bot && { profile_data: {} }), ...person })
    }
    if (event.op === 'update') updateUser(state, event.person)
    if (event.op === 'remove') loseUser(state, event.person.user_id)
    deriveOwnRights(state)
  },

  realm_bot(state, event) {
    if (event.op === 'add') {
      state.realm_bots = [...state.realm_bots.filter((one) => one.user_id !== event.bot.user_id), event.bot]
      return
    }
    if (event.op === 'delete') {
      state.realm_bots = state.realm_bots.filter((one) => one.user_id !== event.bot.user_id)
      return
    }
    const known = state.realm_bots.find((one) => one.user_id === event.bot.user_id)
    if (known) Object.assign(known, event.bot)
  },

  user_group(state, event) {
    changeGroup(state, event)
    deriveOwnRights(state)
  },

  user_status(state, { id: _, type, user_id, ...changes }) {
    const status = { ...state.user_status[user_id], ...changes }
    if (status.emoji_name === '') {
      delete status.emoji_name
      delete status.emoji_code
      delete status.reaction_type
    }
    if (status.status_text === '') delete status.status_text
    if (status.away === false) delete status.away
    if (Object.keys(status).length === 0) delete state.user_status[user_id]
    else state.user_status[user_id] = status
  },

  presence(state, { user_id, email, presence }) {
    const { status, timestamp, client, pushable } = presence.website
    if (email !== undefined) {
      // Who registered for e-mails in presence events has the form by e-mail in the state.
      const presences = state.presences as Record<string, LegacyPresence>
      presences[email] = {
        aggregated: { client, status, timestamp },
        website: { client, status, timestamp, pushable },
      }
      return
    }
    const presences = state.presences as Record<string, SlimPresence>
    const before = presences[user_id] ?? { active_timestamp: 0, idle_timestamp: 0 }
    presences[user_id] = {
      active_timestamp: status === 'active' ? timestamp : before.active_timestamp,
      idle_timestamp: Math.max(before.idle_timestamp, timestamp),
    }
  },

  user_settings(state, { property, value }) {
    Object.assign(state.user_settings, { [property]: value })
  },
  update_display_settings(state, { setting_name, setting }) {
    Object.assign(state, { [setting_name]: setting })
  },
  update_global_notifications(state, { notification_name, setting }) {
    Object.assign(state, { [notification_name]: setting })
  },

  alert_words(state, { alert_words }) {
    state.alert_words = alert_words
  },
  onboarding_steps(state, { onboarding_steps }) {
    state.onboarding_steps = onboarding_steps
  },
  muted_users(state, { muted_users }) {
    state.muted_users = muted_users
  },
} satisfies Partial<Reducers>

/** Somebody the user may know no longer; in their place is nobody, or somebody made up. */
function loseUser(state: ClientState, user_id: number): void {
  const email = userLists.flatMap((list) => state[list]).find((one) => one.user_id === user_id)?.email
  for (const list of userLists) state[list] = state[list].filter((one) => one.user_id !== user_id)
  delete state.user_status[user_id]
  for (const key of [user_id, email]) if (key !== undefined) delete state.presences[key]
  if (state.with_all_users) state.realm_users.push(unknownUser(user_id, new URL(state.realm_url).hostname))
}

const unknownUser = (user_id: number, host: string): UserView => ({
  user_id,
  full_name: 'Unknown user',
  email: `user${user_id}@${host}`,
  delivery_email: null,
  avatar_url: '/user_avatars/1/drawn/0-%3F.svg',
  avatar_version: 1,
  bot_type: null,
  date_joined: '1970-01-01T00:00:00+00:00',
  is_active: true,
  is_admin: false,
  is_billing_admin: false,
  is_bot: false,
  is_guest: false,
  is_owner: false,
  role: roles.member,
  timezone: '',
  profile_data: {},
})

/** Presences that are by e-mail are by the new one from now on. */
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

function updateUser(state: ClientState, person: PersonChange): void {
  const list = userLists.find((name) => state[name].some((one) => one.user_id === person.user_id))
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
  if (person.user_id !== state.user_id) return
  if ('full_name' in person) state.full_name = person.full_name
  if ('new_email' in person) state.email = person.new_email
  if ('delivery_email' in person) state.delivery_email = person.delivery_email!
  if ('avatar_url' in person) {
    // A client that computes Gravatar addresses has nobody's until it has computed its own user's: the old picture is gone.
    const { avatar_source, avatar_url, avatar_url_medium } = person
    const shown = { avatar_url: avatar_url ?? NO_GRAVATAR, avatar_url_medium: avatar_url_medium ?? NO_GRAVATAR }
    Object.assign(state, { avatar_source, ...shown })
  }
  if ('role' in person)
    Object.assign(state, flagsOfRole(person.role), { is_moderator: person.role === roles.moderator })
}

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
  // Bots have none to show.
  if (!profile_data) return
  if (value === null) delete profile_data[id]
  else profile_data[id] = { value, ...(rendered_value !== undefined && { rendered_value }) }
}

function changeGroup(state: ClientState, event: ChatEvent<'user_group'>): void {
  if (event.op === 'add') {
    state.realm_user_groups.push(event.group)
    return
  }
  if (event.op === 'remove') {
    state.realm_user_groups = state.realm_user_groups.filter((one) => one.id !== event.group_id)
    return
  }
  const group = state.realm_user_groups.find((one) => one.id === event.group_id)
  if (!group) return
  if (event.op === 'update') Object.assign(group, event.data)
  if (event.op === 'add_members') group.members = sorted([...group.members, ...event.user_ids])
  if (event.op === 'remove_members') group.members = without(group.members, event.user_ids)
  if (event.op === 'add_subgroups') {
    group.direct_subgroup_ids = sorted([...group.direct_subgroup_ids, ...event.direct_subgroup_ids])
  }
  if (event.op === 'remove_subgroups') {
    group.direct_subgroup_ids = without(group.direct_subgroup_ids, event.direct_subgroup_ids)
  }
}
