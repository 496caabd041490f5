import * as v from 'valibot'
import { statePart } from '../event-log/state-part.ts'
import { neverSubscribedShape, subscriptionShape } from '../shapes/stream.ts'
import { knownStreams } from '../streams/list.ts'
import { streamViews } from '../streams/view.ts'
import { subscribersOf, subscriptionsOf } from './list.ts'

const entries = {
  subscriptions: v.array(subscriptionShape),
  unsubscribed: v.array(subscriptionShape),
  never_subscribed: v.array(neverSubscribedShape),
}

/** The user's subscriptions, the streams they left, and those they could join. */
export const subscriptionState = statePart(entries, async (tx, { include_subscribers }) => {
  const subscriptions = await subscriptionsOf(tx, { active: true, include_subscribers })
  const left = await subscriptionsOf(tx, { active: false, include_subscribers })
  const visible = await knownStreams(tx)
  const visibleIds = new Set(visible.map((stream) => stream.id))
  const unsubscribed = left.filter((stream) => visibleIds.has(stream.stream_id))
  const known = new Set([...subscriptions, ...unsubscribed].map((stream) => stream.stream_id))
  const views = await streamViews(
    tx,
    visible.filter((stream) => !known.has(stream.id)),
  )
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
})
