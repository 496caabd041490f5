import type { ChatEvent } from '../../core/events/types/table.ts'
import type { LegacyPresence, SlimPresence } from '../../core/shapes/presence.ts'
import { unknownUserView } from '../../core/users/unknown-user.ts'
import { sorted, without } from './apply-message.ts'
import { updateUser, userLists } from './apply-person.ts'
import type { ClientState, Reducers } from './client-state.ts'
import { deriveOwnRights } from './own-rights.ts'

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

/** A device that has not asked for push notifications yet. */
const NEW_DEVICE = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}

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

  presence(state, { user_id, email, presence, presences: simple }) {
    if (simple) Object.assign(state.presences, simple)
    if (user_id === undefined || presence === undefined) return
    const { status, timestamp, client, pushable } = presence.website
    if (email !== undefined) {
      // Clients that registered for email addresses in presence events have presences by address.
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

  navigation_view(state, event) {
    const { navigation_views: views } = state
    if (event.op === 'add') views.push(event.navigation_view)
    else if (event.op === 'remove') state.navigation_views = views.filter(({ fragment }) => fragment !== event.fragment)
    else Object.assign(views.find(({ fragment }) => fragment === event.fragment) ?? {}, event.data)
  },
  device(state, event) {
    if (event.op === 'remove') {
      delete state.devices[event.device_id]
      return
    }
    const { id: _, type: __, op, device_id, ...changes } = event
    state.devices[device_id] = { ...(op === 'add' ? NEW_DEVICE : state.devices[device_id]!), ...changes }
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

/** Removes a user who is no longer visible, or shows a placeholder instead. */
function loseUser(state: ClientState, user_id: number): void {
  const email = userLists.flatMap((list) => state[list]).find((one) => one.user_id === user_id)?.email
  for (const list of userLists) state[list] = state[list].filter((one) => one.user_id !== user_id)
  delete state.user_status[user_id]
  for (const key of [user_id, email]) if (key !== undefined) delete state.presences[key]
  if (state.with_all_users) state.realm_users.push(unknownUserView(state.realm_url, user_id))
}
