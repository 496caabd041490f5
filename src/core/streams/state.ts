import type { StatePart } from '../event-log/state-part.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../limits.ts'
import { isAdministrator, isGuest } from '../roles.ts'
import { defaultStreamIds } from './default-streams.ts'
import { listStreams } from './list.ts'
import { subscribersOf, subscriptionsOf } from '../subscriptions/list.ts'
import { mutedTopicsOf, userTopicsOf } from './user-topics.ts'
import { streamViews } from './view.ts'

/** Every stream the user may know of. */
export const streamState: StatePart = async (tx) => ({
  streams: (await listStreams(tx, { include_all: isAdministrator(tx.user) })).streams,
})

/** The user's streams, those they left, and those they could join. */
export const subscriptionState: StatePart = async (tx, { include_subscribers }) => {
  const subscriptions = await subscriptionsOf(tx, { active: true, include_subscribers })
  const left = await subscriptionsOf(tx, { active: false, include_subscribers })
  const visible = new Set(
    (await listStreams(tx, { include_all: isAdministrator(tx.user) })).streams.map((s) => s.stream_id),
  )
  const unsubscribed = left.filter((stream) => visible.has(stream.stream_id))
  const known = new Set([...subscriptions, ...unsubscribed].map((stream) => stream.stream_id))
  const rows = await tx.db
    .selectFrom('stream')
    .selectAll()
    .where('id', 'in', tx.chat.store.dialect.idsIn([...visible].filter((id) => !known.has(id))))
    .orderBy('name_key')
    .execute()
  const views = await streamViews(tx, rows)
  const lists = include_subscribers
    ? await subscribersOf(
        tx,
        views.map((view) => view.stream_id),
      )
    : undefined
  const never_subscribed = views.map((view) => ({
    ...view,
    ...(lists && { subscribers: lists.get(view.stream_id) ?? [] }),
  }))
  return { subscriptions, unsubscribed, never_subscribed }
}

/** Ids of the default streams; guests are told of none. */
export const defaultStreamState: StatePart = async (tx) => ({
  realm_default_streams: isGuest(tx.user) ? [] : await defaultStreamIds(tx),
})

/** The user's policies for topics. */
export const userTopicState: StatePart = async (tx, { capabilities }) => {
  const topics = await userTopicsOf(tx)
  return {
    user_topics: topics.map((topic) => ({ ...topic, topic_name: shownTopic(topic.topic_name, capabilities) })),
  }
}

/** Muted topics, for clients that know of no other policy. */
export const mutedTopicsState: StatePart = async (tx, { capabilities }) => {
  const topics = await mutedTopicsOf(tx)
  return { muted_topics: topics.map(([stream, topic, at]) => [stream, shownTopic(topic, capabilities), at]) }
}

const shownTopic = (name: string, { empty_topic_name }: Readonly<Record<string, boolean>>): string =>
  name || (empty_topic_name ? '' : EMPTY_TOPIC_DISPLAY_NAME)
