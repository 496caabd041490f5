import * as v from 'valibot'
import { bool, text } from '../fields.ts'
import { MAX_SUBSCRIPTIONS } from '../limits.ts'
import { groupSettingValue } from '../settings/group-setting-value.ts'
import { retentionDays, streamDescription, streamName } from '../streams/create.ts'
import { streamSettings } from '../streams/settings.ts'
import { principals } from './principals.ts'

const tooMany = `Too many streams; at most ${MAX_SUBSCRIPTIONS} in one request`

/** Streams to leave, by name. */
export const namedStreams = v.pipe(v.array(text), v.maxLength(MAX_SUBSCRIPTIONS, tooMany))

/** Streams to join, or to make. */
export const requestedStreams = v.pipe(
  v.array(v.object({ name: streamName, description: v.nullish(streamDescription), color: v.nullish(text) })),
  v.maxLength(MAX_SUBSCRIPTIONS, tooMany),
)

export const subscribeParams = v.object({
  subscriptions: requestedStreams,
  principals: v.nullish(principals),
  authorization_errors_fatal: v.nullish(bool, true),
  announce: v.nullish(bool, false),
  invite_only: v.nullish(bool, false),
  is_web_public: v.nullish(bool, false),
  is_default_stream: v.nullish(bool, false),
  history_public_to_subscribers: v.nullish(bool),
  message_retention_days: v.nullish(retentionDays),
  ...(Object.fromEntries(Object.keys(streamSettings).map((name) => [name, v.nullish(groupSettingValue)])) as Record<
    keyof typeof streamSettings,
    v.NullishSchema<typeof groupSettingValue, undefined>
  >),
})
export type SubscribeParams = v.InferInput<typeof subscribeParams>
