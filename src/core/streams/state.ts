import * as v from 'valibot'
import { statePart } from '../events/log/state-part.ts'
import { JsonList, KeptJson } from '../kernel/base/kept-json.ts'
import { displayTopicName } from '../kernel/base/topic-name.ts'
import { isGuest } from '../kernel/roles.ts'
import { pacer } from '../kernel/slices.ts'
import { type MutedTopic, mutedTopicShape, streamShape, userTopicShape } from '../shapes/stream.ts'
import { ids } from '../shapes/values.ts'
import { isKnownTo } from './access.ts'
import { defaultStreamIds } from './default-streams.ts'
import { allStreams } from './stored.ts'
import { mutedTopicsOf, userTopicsOf } from './user-topics.ts'
import { streamTexts } from './view.ts'

/** Every stream the user may know of, with archived ones for clients that know them. */
export const streamState = statePart({ streams: v.array(streamShape) }, async (tx, { capabilities }) => {
  const rows = await tx.db
    .selectFrom('subscription')
    .select('stream_id')
    .where('user_id', '=', tx.user.id)
    .where('is_active', '=', 1)
    .execute()
  const subscribed = new Set(rows.map((row) => row.stream_id))
  const all = await allStreams.get(tx)
  const textOf = await streamTexts(tx, all)
  const turn = pacer(tx)
  const streams = new JsonList()
  for (const stream of all) {
    await turn()
    if (stream.is_archived && capabilities.archived_channels !== true) continue
    if (isKnownTo(stream, tx.user, subscribed.has(stream.id))) streams.add(textOf(stream))
  }
  return { streams: new KeptJson(async () => [streams]) }
})

/** Ids of the default streams; none for guests. */
export const defaultStreamState = statePart({ realm_default_streams: ids }, async (tx) => ({
  realm_default_streams: isGuest(tx.user) ? [] : await defaultStreamIds(tx),
}))

/** The user's visibility policies for topics. */
export const userTopicState = statePart({ user_topics: v.array(userTopicShape) }, async (tx, { capabilities }) => {
  const topics = await userTopicsOf(tx)
  return {
    user_topics: topics.map((topic) => ({
      ...topic,
      topic_name: displayTopicName(topic.topic_name, capabilities.empty_topic_name === true),
    })),
  }
})

/** Muted topics, for clients that know no other policy. */
export const mutedTopicsState = statePart({ muted_topics: v.array(mutedTopicShape) }, async (tx, { capabilities }) => {
  const topics = await mutedTopicsOf(tx)
  return {
    muted_topics: topics.map(
      ([stream, topic, at]): MutedTopic => [
        stream,
        displayTopicName(topic, capabilities.empty_topic_name === true),
        at,
      ],
    ),
  }
})
