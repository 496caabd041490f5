import type { ChatEvent, EventType } from '../../core/events/types/table.ts'
import { messageReducers } from './apply-message.ts'
import { streamReducers } from './apply-stream.ts'
import { userReducers } from './apply-user.ts'
import type { ClientState, Reducers } from './client-state.ts'
import { deriveOwnRights } from './own-rights.ts'

const organizationReducers = {
  realm(state, event) {
    // All requests will fail, so the state no longer matters.
    if (event.op === 'deactivated') return
    const changes = event.op === 'update' ? { [event.property]: event.value } : event.data
    for (const [name, now] of Object.entries(changes)) Object.assign(state, { [`realm_${name}`]: now })
    state.jitsi_server_url = state.realm_jitsi_server_url ?? state.server_jitsi_server_url
    deriveOwnRights(state)
  },
  realm_emoji(state, event) {
    if (event.op === 'update') state.realm_emoji = event.realm_emoji
    else if (event.op === 'add') state.realm_emoji = { ...state.realm_emoji, [event.emoji.id]: event.emoji }
    else Object.assign(state.realm_emoji[event.emoji_id] ?? {}, event.data)
  },
  realm_linkifiers(state, { realm_linkifiers }) {
    state.realm_linkifiers = realm_linkifiers
  },
  bot_commands(state, { bot_commands }) {
    state.bot_commands = bot_commands
  },
  // For bots, whose state doesn't change.
  bot_command() {},
  realm_playgrounds(state, { realm_playgrounds }) {
    state.realm_playgrounds = realm_playgrounds
  },
  realm_incoming_webhook_bots(state, event) {
    const name = event.op === 'add' ? event.integration.name : event.name
    const others = state.realm_incoming_webhook_bots.filter((one) => one.name !== name)
    if (event.op !== 'remove') others.push(event.integration)
    state.realm_incoming_webhook_bots = others.sort((a, b) => (a.name < b.name ? -1 : 1))
  },
  realm_domains(state, event) {
    const name = event.op === 'remove' ? event.domain : event.realm_domain.domain
    if (event.op === 'change') {
      state.realm_domains = state.realm_domains.map((one) => (one.domain === name ? event.realm_domain : one))
      return
    }
    state.realm_domains = state.realm_domains.filter((one) => one.domain !== name)
    if (event.op === 'add') state.realm_domains.push(event.realm_domain)
  },
  realm_user_settings_defaults(state, { property, value }) {
    Object.assign(state.realm_user_settings_defaults, { [property]: value })
  },
  // Clients fetch the list of invitations again.
  invites_changed() {},
  content_filters() {},
  restriction() {},
  held_message() {},
  report() {},
  realm_export() {},
  realm_export_consent() {},
  custom_profile_fields(state, { fields }) {
    state.custom_profile_fields = fields
    // Removing a field removes its values.
    const known = new Set(fields.map((field) => String(field.id)))
    for (const { profile_data = {} } of [...state.realm_users, ...state.realm_non_active_users]) {
      for (const id of Object.keys(profile_data)) if (!known.has(id)) delete profile_data[id]
    }
  },
} satisfies Partial<Reducers>

/** Event types that change nothing are listed too, so that none is forgotten. */
export const reducers: Reducers = {
  ...messageReducers,
  ...streamReducers,
  ...userReducers,
  ...organizationReducers,
  // The list of files isn't part of the state.
  attachment() {},
  heartbeat() {},
}

/** Applies an event to `state`. A test uses it to prove that events announce every change. */
export function applyEvent<T extends EventType>(state: ClientState, event: ChatEvent<T>): void {
  // TypeScript can't tell that the reducer belongs to the type of this event.
  const reduce = reducers[event.type] as Reducers[T]
  reduce(state, event)
}
