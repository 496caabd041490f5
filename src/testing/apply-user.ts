import { roles } from '../core/roles.ts'
import { sorted, without } from './apply-message.ts'
import type { ClientEvent, ClientState, Reducer } from './client-state.ts'
import { deriveOwnRights } from './own-rights.ts'

// biome-ignore lint/suspicious/noExplicitAny: a user, a group or a bot, as the API shows it.
type Thing = any

const userLists = ['realm_users', 'realm_non_active_users', 'cross_realm_bots'] as const

export const userReducers: Record<string, Reducer> = {
  realm_user(state, { op, person }) {
    if (op === 'add') state.realm_users.push({ ...person, ...(!person.is_bot && { profile_data: {} }) })
    if (op === 'update') updateUser(state, person)
    deriveOwnRights(state)
  },

  realm_bot(state, { op, bot }) {
    const rest = state.realm_bots.filter((one: Thing) => one.user_id !== bot.user_id)
    const before = state.realm_bots.find((one: Thing) => one.user_id === bot.user_id)
    if (op === 'add') state.realm_bots = [...rest, bot]
    if (op === 'update') state.realm_bots = [...rest, { ...before, ...bot }]
    if (op === 'delete' || op === 'remove') state.realm_bots = rest
  },

  user_group(state, event) {
    changeGroup(state, event)
    deriveOwnRights(state)
  },

  user_status(state, { id: _, type, user_id, ...changes }) {
    const status = { ...state.user_status[user_id], ...changes }
    if (status.emoji_name === '') for (const name of ['emoji_name', 'emoji_code', 'reaction_type']) delete status[name]
    if (status.status_text === '') delete status.status_text
    if (status.away === false) delete status.away
    if (Object.keys(status).length === 0) delete state.user_status[user_id]
    else state.user_status[user_id] = status
  },

  presence(state, { user_id, email, presence }) {
    const { status, timestamp, client, pushable } = presence.website
    if (email !== undefined) {
      state.presences[email] = {
        aggregated: { client, status, timestamp },
        website: { client, status, timestamp, pushable },
      }
      return
    }
    const before = state.presences[user_id] ?? { active_timestamp: 0, idle_timestamp: 0 }
    state.presences[user_id] = {
      active_timestamp: status === 'active' ? timestamp : before.active_timestamp,
      idle_timestamp: Math.max(before.idle_timestamp, timestamp),
    }
  },

  user_settings(state, { property, value }) {
    state.user_settings[property] = value
  },
  update_display_settings(state, { setting_name, setting }) {
    state[setting_name] = setting
  },
  update_global_notifications(state, { notification_name, setting }) {
    state[notification_name] = setting
  },

  alert_words(state, { alert_words }) {
    state.alert_words = alert_words
  },
  muted_users(state, { muted_users }) {
    state.muted_users = muted_users
  },
}

function updateUser(state: ClientState, person: Thing): void {
  const { user_id, custom_profile_field, ...changes } = person
  const list = userLists.find((name) => state[name].some((one: Thing) => one.user_id === user_id))
  if (!list) return
  const user = state[list].find((one: Thing) => one.user_id === user_id)
  Object.assign(user, changes)
  if (custom_profile_field) setProfileField(user, custom_profile_field)
  if ('role' in changes) Object.assign(user, flagsOfRole(changes.role))
  if ('is_active' in changes) {
    state[list] = state[list].filter((one: Thing) => one !== user)
    state[changes.is_active ? 'realm_users' : 'realm_non_active_users'].push(user)
  }
  if (user_id !== state.user_id) return
  for (const own of ['full_name', 'avatar_url', 'avatar_url_medium', 'avatar_source']) {
    if (own in changes) state[own] = changes[own]
  }
  if ('role' in changes)
    Object.assign(state, flagsOfRole(changes.role), { is_moderator: changes.role <= roles.moderator })
}

const flagsOfRole = (role: number) => ({
  is_owner: role === roles.owner,
  is_admin: role <= roles.administrator,
  is_guest: role === roles.guest,
})

function setProfileField(user: Thing, { id, value, rendered_value }: Thing): void {
  // Bots have none to show.
  if (!user.profile_data) return
  if (value === null) delete user.profile_data[id]
  else user.profile_data[id] = { value, ...(rendered_value !== undefined && { rendered_value }) }
}

function changeGroup(state: ClientState, event: ClientEvent): void {
  const { op, group_id, user_ids, direct_subgroup_ids } = event
  if (op === 'add') {
    state.realm_user_groups.push(event.group)
    return
  }
  if (op === 'remove') {
    state.realm_user_groups = state.realm_user_groups.filter((one: Thing) => one.id !== group_id)
    return
  }
  const group = state.realm_user_groups.find((one: Thing) => one.id === group_id)
  if (!group) return
  if (op === 'update') Object.assign(group, event.data)
  if (op === 'add_members') group.members = sorted([...group.members, ...user_ids])
  if (op === 'remove_members') group.members = without(group.members, user_ids)
  if (op === 'add_subgroups') {
    group.direct_subgroup_ids = sorted([...group.direct_subgroup_ids, ...direct_subgroup_ids])
  }
  if (op === 'remove_subgroups') group.direct_subgroup_ids = without(group.direct_subgroup_ids, direct_subgroup_ids)
}
