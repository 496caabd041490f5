import type { Tx } from '../context.ts'
import { emojiState } from '../emoji/custom/state.ts'
import type { QueueOptions } from '../event-log/queues.ts'
import type { StatePart } from '../event-log/state-part.ts'
import { groupState } from '../groups/state.ts'
import { organizationState, ownState, serverState } from '../organization/state.ts'
import { defaultStreamState, mutedTopicsState, streamState, userTopicState } from '../streams/state.ts'
import { subscriptionState } from '../subscriptions/state.ts'
import { profileFieldState } from '../users/profile-state.ts'
import {
  alertWordsState,
  botState,
  displayState,
  mutedUsersState,
  notificationState,
  presenceState,
  settingsDefaultsState,
  settingsState,
  userStatusState,
  usersState,
} from '../users/state.ts'
import { conversationState, messageState, scheduledState, starredState, unreadState } from './message-state.ts'

/** What the server has none of, and says so. */
const empty =
  (state: object): StatePart =>
  async () =>
    state

/** What register answers, by the word that asks for it in `fetch_event_types`. */
const parts: Readonly<Record<string, readonly StatePart[]>> = {
  alert_words: [alertWordsState],
  custom_profile_fields: [profileFieldState],
  default_stream_groups: [empty({ realm_default_stream_groups: [] })],
  default_streams: [defaultStreamState],
  drafts: [empty({ drafts: [] })],
  giphy: [empty({ giphy_api_key: '' })],
  message: [messageState, unreadState],
  muted_topics: [mutedTopicsState],
  muted_users: [mutedUsersState],
  onboarding_steps: [empty({ onboarding_steps: [] })],
  presence: [presenceState],
  realm: [organizationState, ownState],
  realm_bot: [botState],
  realm_domains: [empty({ realm_domains: [] })],
  realm_emoji: [emojiState],
  realm_filters: [empty({ realm_filters: [] })],
  realm_linkifiers: [empty({ realm_linkifiers: [] })],
  realm_playgrounds: [empty({ realm_playgrounds: [] })],
  realm_user: [usersState, ownState],
  realm_user_groups: [
    (tx, { capabilities }) => groupState(tx, { includeDeactivated: capabilities.include_deactivated_groups === true }),
  ],
  realm_user_settings_defaults: [settingsDefaultsState],
  recent_private_conversations: [conversationState],
  saved_snippets: [empty({ saved_snippets: [] })],
  scheduled_messages: [scheduledState],
  starred_messages: [starredState],
  stop_words: [empty({ stop_words: [] })],
  stream: [streamState],
  subscription: [subscriptionState],
  update_display_settings: [displayState],
  update_global_notifications: [notificationState],
  update_message_flags: [unreadState],
  user_settings: [settingsState],
  user_status: [userStatusState],
  user_topic: [userTopicState],
  video_calls: [empty({ has_zoom_token: false })],
}

/** Types of events whose state is asked for by another word. */
const aliases: Readonly<Record<string, string>> = { user_group: 'realm_user_groups' }

/** The state as the writer's user sees it now; all of it, or what these words ask for. */
export async function fetchState(tx: Tx, options: QueueOptions, fetch: readonly string[] | null): Promise<object> {
  const state: object = await serverState(tx, options)
  const requested = fetch && new Set(fetch.map((name) => aliases[name] ?? name))
  // Who knows of all policies asks for both, for the sake of older servers, and wants one.
  if (requested?.has('user_topic')) requested.delete('muted_topics')
  const done = new Set<StatePart>()
  for (const [name, list] of Object.entries(parts)) {
    if (requested && !requested.has(name)) continue
    for (const part of list) {
      if (done.has(part)) continue
      done.add(part)
      Object.assign(state, await part(tx, options))
    }
  }
  return state
}
