import * as v from 'valibot'
import { displayTopicName } from '../base/topic-name.ts'
import { statePart } from '../event-log/state-part.ts'
import { isGuest } from '../roles.ts'
import { type MutedTopic, mutedTopicShape, streamShape, userTopicShape } from '../shapes/stream.ts'
import { ids } from '../shapes/values.ts'
import { defaultStreamIds } from './default-streams.ts'
import { knownStreams } from './list.ts'
import { mutedTopicsOf, userTopicsOf } from './user-topics.ts'
import { streamViews } from './view.ts'

/** Every stream the user may know of; archived ones for clients that know of them. */
export const streamState = statePart({ streams: v.array(streamShape) }, async (tx, { capabilities }) => ({
  streams: await streamViews(tx, await knownStreams(tx, { archived: capabilities.archived_channels === true })),
}))

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
