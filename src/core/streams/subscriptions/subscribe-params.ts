import * as v from 'valibot'
import { MAX_SUBSCRIPTIONS } from '../../kernel/base/limits.ts'
import { bool, described, id, text } from '../../kernel/fields.ts'
import { newPermissionParams } from '../../settings/setting.ts'
import { retentionDays, streamDescription, streamName } from '../create.ts'
import { streamSettings } from '../settings.ts'
import { topicsPolicy } from '../topics-policy.ts'
import { principals } from './principals.ts'

const tooMany = `Too many streams; at most ${MAX_SUBSCRIPTIONS} in one request`

/** Streams to leave, by name. */
export const namedStreams = v.pipe(v.array(text), v.maxLength(MAX_SUBSCRIPTIONS, tooMany))

/** Streams to join, or to create. */
export const requestedStreams = v.pipe(
  v.array(v.object({ name: streamName, description: v.nullish(streamDescription), color: v.nullish(text) })),
  v.maxLength(MAX_SUBSCRIPTIONS, tooMany),
)

/** Properties of new streams. */
export const newStreamParams = {
  announce: described(v.nullish(bool, false), 'Announce new channels in the channel for announcements.'),
  invite_only: described(v.nullish(bool, false), 'Whether new channels are private.'),
  is_web_public: described(v.nullish(bool, false), 'Whether people without an account can read it.'),
  is_default_stream: described(v.nullish(bool, false), 'Whether new users are subscribed to it.'),
  history_public_to_subscribers: described(
    v.nullish(bool),
    'Whether new subscribers can see earlier messages. Only for private channels.',
  ),
  message_retention_days: described(
    v.nullish(retentionDays),
    'Days to keep messages, or "realm_default" or "unlimited".',
  ),
  folder_id: described(v.nullish(id), 'ID of the folder of new channels.'),
  topics_policy: described(
    v.nullish(topicsPolicy),
    'Which topics are allowed: inherit, allow_empty_topic, disable_empty_topic or empty_topic_only.',
  ),
  ...newPermissionParams(streamSettings),
}

export const subscribeParams = v.object({
  subscriptions: described(
    requestedStreams,
    "Channels to subscribe to, by name. Channels that don't exist are created.",
  ),
  principals: described(v.nullish(principals), 'User IDs or email addresses. Defaults to yourself.'),
  authorization_errors_fatal: described(
    v.nullish(bool, true),
    "Whether the request fails if you can't join one of the channels. Otherwise, the response lists it in `unauthorized`.",
  ),
  send_new_subscription_messages: described(
    v.nullish(bool, true),
    'Whether to notify people by direct message about existing channels they were subscribed to.',
  ),
  ...newStreamParams,
})
export type SubscribeParams = v.InferInput<typeof subscribeParams>
