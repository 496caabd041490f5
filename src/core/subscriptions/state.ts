import * as v from 'valibot'
import type { Caller } from '../context.ts'
import { statePart } from '../event-log/state-part.ts'
import { neverSubscribedShape, subscriptionShape } from '../shapes/stream.ts'
import { isSpectator } from '../spectator.ts'
import { colorOf } from '../streams/colors.ts'
import { knownStreams } from '../streams/list.ts'
import { streamViews } from '../streams/view.ts'
import { subscribersOf, subscriptionsOf } from './list.ts'

const entries = {
  subscriptions: v.array(subscriptionShape),
  unsubscribed: v.array(subscriptionShape),
  never_subscribed: v.array(neverSubscribedShape),
}

/** The user's subscriptions, the streams they left, and those they could join. */
export const subscriptionState = statePart(entries, async (tx, { include_subscribers, capabilities }) => {
  if (isSpectator(tx.user)) return { subscriptions: await asSubscribed(tx), unsubscribed: [], never_subscribed: [] }
  const archived = capabilities.archived_channels === true
  const subscriptions = await subscriptionsOf(tx, { active: true, archived, include_subscribers })
  const left = await subscriptionsOf(tx, { active: false, archived, include_subscribers })
  const visible = await knownStreams(tx, { archived })
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

/** What people without an account may read, as if they were subscribed to it: clients show streams so. */
async function asSubscribed(reader: Caller) {
  const views = await streamViews(reader, await knownStreams(reader, { archived: false }))
  return views.map((view, i) => ({ ...view, ...plainSettings, color: colorOf(i) }))
}

const plainSettings = {
  is_muted: false,
  in_home_view: true,
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
}
