import * as v from 'valibot'
import { deviceState } from '../../accounts/devices.ts'
import { onboardingState } from '../../accounts/onboarding.ts'
import { integrationState } from '../../bots/incoming/state.ts'
import { commandState } from '../../bots/profiles/commands.ts'
import { botState } from '../../bots/profiles/state.ts'
import { groupState } from '../../groups/state.ts'
import type { WithKept } from '../../kernel/base/kept-json.ts'
import type { Caller } from '../../kernel/context.ts'
import { stopWords } from '../../narrow/search/stop-words.ts'
import { domainState } from '../../organization/domains.ts'
import { emojiState } from '../../organization/emoji/state.ts'
import { filterState, linkifierState } from '../../organization/linkifiers/stored.ts'
import { playgroundState } from '../../organization/playgrounds.ts'
import { organizationState, ownState, serverState } from '../../organization/state.ts'
import { emptyList, optional } from '../../shapes/values.ts'
import { streamGroupState } from '../../streams/default-stream-groups.ts'
import { folderState } from '../../streams/folders.ts'
import { defaultStreamState, mutedTopicsState, streamState, userTopicState } from '../../streams/state.ts'
import { subscriptionState } from '../../streams/subscriptions/state.ts'
import { profileFieldState } from '../../users/profile-state.ts'
import {
  alertWordsState,
  mutedUsersState,
  presenceState,
  settingsDefaultsState,
  settingsState,
  userStatusState,
  usersState,
} from '../../users/state.ts'
import type { QueueOptions } from '../log/queues.ts'
import { type StatePart, statePart, withAccount } from '../log/state-part.ts'
import {
  conversationState,
  draftState,
  messageState,
  navigationState,
  reminderState,
  savedSnippetState,
  scheduledState,
  starredState,
  unreadState,
} from './message-state.ts'

/** Features that the server doesn't have, as empty values. TypeScript builds no object type for a generic name. */
const none = <const N extends string>(name: N) =>
  statePart({ [name]: emptyList } as Record<N, typeof emptyList>, async () => ({ [name]: [] }) as never)

/** There is no video. */
const tourState = statePart({ navigation_tour_video_url: v.null() }, async () => ({ navigation_tour_video_url: null }))

/** Nothing is paid for. */
const billingState = statePart(
  { realm_billing: v.strictObject({ has_pending_sponsorship_request: v.boolean() }) },
  async () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
)

/** The parts of register's state, by their name in `fetch_event_types`. */
const parts = {
  alert_words: [alertWordsState],
  bot_commands: [commandState],
  channel_folders: [folderState],
  custom_profile_fields: [
    withAccount(profileFieldState, { custom_profile_fields: [], custom_profile_field_types: {} }),
  ],
  default_stream_groups: [streamGroupState],
  default_streams: [defaultStreamState],
  device: [deviceState],
  drafts: [draftState],
  giphy: [
    statePart({ giphy_api_key: v.string() }, async ({ chat }) => ({ giphy_api_key: chat.options.gifApiKeys.giphy })),
  ],
  klipy: [
    statePart({ klipy_api_key: v.string() }, async ({ chat }) => ({ klipy_api_key: chat.options.gifApiKeys.klipy })),
  ],
  message: [messageState, unreadState],
  muted_topics: [mutedTopicsState],
  muted_users: [mutedUsersState],
  navigation_views: [navigationState],
  onboarding_steps: [withAccount(onboardingState, { onboarding_steps: [] }), tourState],
  presence: [presenceState],
  realm: [organizationState, ownState],
  realm_billing: [billingState],
  realm_bot: [botState, integrationState],
  realm_domains: [domainState],
  realm_embedded_bots: [none('realm_embedded_bots')],
  realm_emoji: [emojiState],
  realm_filters: [filterState],
  realm_incoming_webhook_bots: [integrationState],
  realm_linkifiers: [linkifierState],
  realm_playgrounds: [playgroundState],
  realm_user: [usersState, ownState],
  realm_user_groups: [groupState],
  realm_user_settings_defaults: [settingsDefaultsState],
  recent_private_conversations: [conversationState],
  reminders: [reminderState],
  saved_snippets: [savedSnippetState],
  scheduled_messages: [scheduledState],
  starred_messages: [starredState],
  stop_words: [statePart({ stop_words: v.array(v.string()) }, async () => ({ stop_words: [...stopWords] }))],
  stream: [streamState],
  subscription: [subscriptionState],
  tenor: [
    statePart({ tenor_api_key: v.string() }, async ({ chat }) => ({ tenor_api_key: chat.options.gifApiKeys.tenor })),
  ],
  update_message_flags: [unreadState],
  user_settings: [settingsState],
  user_status: [withAccount(userStatusState, { user_status: {} })],
  user_topic: [userTopicState],
  video_calls: [statePart({ has_zoom_token: v.boolean() }, async () => ({ has_zoom_token: false }))],
} satisfies Record<string, readonly StatePart[]>

type Both<U> = (U extends unknown ? (part: U) => void : never) extends (part: infer All) => void ? All : never
type PartEntries = Both<(typeof parts)[keyof typeof parts][number]['entries']>

/** The parts, for the declarations of the package. */
export const stateParts: Readonly<Record<string, readonly StatePart[]>> = parts

/** All members of the state. A client gets the members of the parts it asks for. */
const partEntries: v.ObjectEntries = Object.assign(
  {},
  ...Object.values<readonly StatePart[]>(parts).flatMap((list) => list.map((part) => part.entries)),
)
export const registerState = v.strictObject({
  ...serverState.entries,
  ...optional(partEntries as PartEntries & v.ObjectEntries),
})
export type RegisterState = v.InferOutput<typeof registerState>

/** Event types whose state is requested by another name. */
export const aliases: Readonly<Record<string, string>> = {
  channel_folder: 'channel_folders',
  navigation_view: 'navigation_views',
  user_group: 'realm_user_groups',
}

/** Returns the state for this reader, in full or only the named parts. */
export async function fetchState(
  reader: Caller,
  options: QueueOptions,
  fetch: readonly string[] | null,
): Promise<WithKept<RegisterState>> {
  const state: WithKept<RegisterState> = await serverState(reader, options)
  const requested = fetch && new Set(fetch.map((name) => aliases[name] ?? name))
  // Clients that know all policies request both because of older servers, and need only one.
  if (requested?.has('user_topic')) requested.delete('muted_topics')
  const done = new Set<StatePart>()
  for (const [name, list] of Object.entries<readonly StatePart[]>(parts)) {
    if (requested && !requested.has(name)) continue
    for (const part of list) {
      if (done.has(part)) continue
      done.add(part)
      Object.assign(state, await part(reader, options))
    }
  }
  return state
}
