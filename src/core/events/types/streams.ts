import * as v from 'valibot'
import { groupSettingValue } from '../../shapes/group.ts'
import {
  channelFolderShape,
  mutedTopicShape,
  streamGroupShape,
  streamShape,
  subscriptionSettingsShape,
  subscriptionShape,
  userTopicShape,
} from '../../shapes/stream.ts'
import { id, ids } from '../../shapes/values.ts'
import { event, eventByOp, olderEvent } from './define.ts'

const streamProperties = Object.keys(streamShape.entries) as (keyof typeof streamShape.entries)[]
const subscriptionProperties = Object.keys(
  subscriptionSettingsShape.entries,
) as (keyof typeof subscriptionSettingsShape.entries)[]

const peers = { stream_ids: ids, user_ids: ids }
const muted_topics = v.array(mutedTopicShape)

const { name, description, rendered_description, is_archived } = channelFolderShape.entries

const streamOps = {
  create: { streams: v.array(streamShape) },
  /** Only ids, because its readers may no longer know more of a stream. */
  delete: { stream_ids: ids, streams: v.array(v.strictObject({ stream_id: id })) },
  update: {
    stream_id: id,
    /** The stream's previous name. */
    name: v.string(),
    property: v.picklist(streamProperties),
    value: v.union([v.boolean(), v.number(), v.string(), v.null(), groupSettingValue]),
    /** Changes together with the description … */
    rendered_description: v.exactOptional(v.string()),
    /** … and these with the privacy. */
    history_public_to_subscribers: v.exactOptional(v.boolean()),
    is_web_public: v.exactOptional(v.boolean()),
  },
}

const subscriptionOps = {
  add: { subscriptions: v.array(subscriptionShape) },
  remove: { subscriptions: v.array(v.strictObject({ stream_id: id, name: v.string() })) },
  update: {
    stream_id: id,
    property: v.picklist(subscriptionProperties),
    value: v.nullable(v.union([v.boolean(), v.string()])),
  },
  peer_add: peers,
  peer_remove: peers,
}
const was_archived = v.exactOptional(v.literal(true))

export const streamEvents = {
  stream: eventByOp(
    'stream',
    {
      ...streamOps,
      /** With `were_archived`, only the visibility changed. Only for clients that know archived streams. */
      delete: { ...streamOps.delete, were_archived: v.exactOptional(v.literal(true)) },
      /**
       * Contains the stream if it was archived or unarchived, because clients without support for archived streams need
       * all of it.
       */
      update: { ...streamOps.update, stream: v.exactOptional(streamShape) },
    },
    { read: streamOps },
  ),

  subscription: eventByOp(
    'subscription',
    {
      ...subscriptionOps,
      /** `was_archived`: only for clients without support for archived streams. */
      add: { ...subscriptionOps.add, was_archived },
      peer_add: { ...peers, was_archived },
    },
    {
      read: subscriptionOps,
      // in_home_view, the older form of is_muted, is sent too.
      ids: (event) => (event.op === 'update' && event.property === 'is_muted' ? 2 : 1),
    },
  ),

  channel_folder: eventByOp('channel_folder', {
    add: { channel_folder: channelFolderShape },
    /** What has changed; the description with its HTML. */
    update: {
      channel_folder_id: id,
      data: v.partial(v.strictObject({ name, description, rendered_description, is_archived })),
    },
    /** Ids of all folders. */
    reorder: { order: ids },
  }),

  default_streams: event('default_streams', { default_streams: ids }),
  default_stream_groups: event('default_stream_groups', { default_stream_groups: v.array(streamGroupShape) }),

  user_topic: event(
    'user_topic',
    { ...userTopicShape.entries, muted_topics: v.exactOptional(muted_topics) },
    // `muted_topics` is a separate event, missing if no topic was muted or unmuted.
    { ids: () => 2, read: userTopicShape.entries },
  ),
  muted_topics: olderEvent('muted_topics', { muted_topics }),
}
