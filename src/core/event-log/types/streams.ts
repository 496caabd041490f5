import * as v from 'valibot'
import { groupSettingValue } from '../../shapes/group.ts'
import { mutedTopic, stream, subscription, subscriptionSettings, userTopic } from '../../shapes/stream.ts'
import { id, ids } from '../../shapes/values.ts'
import { event, eventByOp, olderEvent } from './define.ts'

const streamProperties = Object.keys(stream.entries) as (keyof typeof stream.entries)[]
const subscriptionProperties = Object.keys(
  subscriptionSettings.entries,
) as (keyof typeof subscriptionSettings.entries)[]

const peers = { stream_ids: ids, user_ids: ids }
const muted_topics = v.array(mutedTopic)

export const streamEvents = {
  stream: eventByOp('stream', {
    create: { streams: v.array(stream) },
    delete: { stream_ids: ids, streams: v.array(stream) },
    update: {
      stream_id: id,
      /** The stream's name before. */
      name: v.string(),
      property: v.picklist(streamProperties),
      value: v.union([v.boolean(), v.number(), v.string(), v.null(), groupSettingValue]),
      /** What changes with the description … */
      rendered_description: v.exactOptional(v.string()),
      /** … and with the privacy. */
      history_public_to_subscribers: v.exactOptional(v.boolean()),
      is_web_public: v.exactOptional(v.boolean()),
    },
  }),

  subscription: eventByOp(
    'subscription',
    {
      add: { subscriptions: v.array(subscription) },
      remove: { subscriptions: v.array(v.strictObject({ stream_id: id, name: v.string() })) },
      update: {
        stream_id: id,
        property: v.picklist(subscriptionProperties),
        value: v.nullable(v.union([v.boolean(), v.string()])),
      },
      peer_add: peers,
      peer_remove: peers,
    },
    // What clients knew before is_muted comes beside it.
    { ids: (event) => (event.op === 'update' && event.property === 'is_muted' ? 2 : 1) },
  ),

  default_streams: event('default_streams', { default_streams: ids }),

  user_topic: event(
    'user_topic',
    { ...userTopic.entries, muted_topics },
    // `muted_topics` is an event of its own.
    { ids: () => 2, read: userTopic.entries },
  ),
  muted_topics: olderEvent('muted_topics', { muted_topics }),
}
