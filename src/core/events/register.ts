import * as v from 'valibot'
import { action } from '../action.ts'
import { emojiState } from '../emoji/state.ts'
import { bool, integer, text } from '../fields.ts'
import { groupState } from '../groups/state.ts'
import { messageState, starredState, unreadState } from '../messages/state.ts'
import { organizationState, serverState } from '../organization/state.ts'
import { defaultStreamState, streamState, subscriptionState } from '../streams/state.ts'
import { profileFieldState } from '../users/profile-state.ts'
import { settingsState, usersState } from '../users/state.ts'
import { position } from './emit.ts'
import { createQueue, type QueueOptions } from './queues.ts'
import type { StatePart } from './state.ts'

/** What register answers, by the event type that keeps it up to date afterwards. */
const parts: Readonly<Record<string, StatePart>> = {
  custom_profile_fields: profileFieldState,
  default_streams: defaultStreamState,
  message: messageState,
  realm: organizationState,
  realm_emoji: emojiState,
  realm_user: usersState,
  realm_user_groups: (tx, { capabilities }) =>
    groupState(tx, { includeDeactivated: capabilities.include_deactivated_groups === true }),
  starred_messages: starredState,
  stream: streamState,
  subscription: subscriptionState,
  update_message_flags: unreadState,
  user_settings: settingsState,
}

const names = v.nullish(v.array(text))

/** POST /register: the state as it is, and a queue of all that happens from that moment. */
export const register = action(
  {
    summary: 'Register an event queue',
    params: v.object({
      event_types: names,
      fetch_event_types: names,
      narrow: v.nullish(v.array(v.any()), []),
      all_public_streams: v.nullish(bool, false),
      apply_markdown: v.nullish(bool, false),
      client_gravatar: v.nullish(bool, true),
      slim_presence: v.nullish(bool, false),
      include_subscribers: v.nullish(bool, false),
      client_capabilities: v.nullish(v.record(text, v.unknown()), {}),
      queue_lifespan_secs: v.nullish(integer),
    }),
  },
  async (caller, wanted) => {
    const options: QueueOptions = {
      event_types: wanted.event_types ?? null,
      narrow: wanted.narrow ?? [],
      all_public_streams: wanted.all_public_streams ?? false,
      apply_markdown: wanted.apply_markdown ?? false,
      client_gravatar: wanted.client_gravatar ?? true,
      slim_presence: wanted.slim_presence ?? false,
      include_subscribers: wanted.include_subscribers ?? false,
      capabilities: Object.fromEntries(
        Object.entries(wanted.client_capabilities ?? {}).filter(
          (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
        ),
      ),
    }
    const fetch = wanted.fetch_event_types ?? wanted.event_types
    return caller.write(async (tx) => {
      const last_event_id = await position(tx)
      const queue_id = await createQueue(tx, options, last_event_id, wanted.queue_lifespan_secs ?? undefined)
      const state: object = await serverState(tx, options)
      for (const [name, part] of Object.entries(parts)) {
        if (!fetch || fetch.includes(name)) Object.assign(state, await part(tx, options))
      }
      return { queue_id, last_event_id, ...state }
    })
  },
)
