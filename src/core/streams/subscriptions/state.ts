import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { SubscriptionTable } from '../../../storage/index.ts'
import { statePart } from '../../events/log/state-part.ts'
import { JsonList, KeptJson } from '../../kernel/base/kept-json.ts'
import type { Caller } from '../../kernel/context.ts'
import { pacer } from '../../kernel/slices.ts'
import { isSpectator } from '../../kernel/spectator.ts'
import { neverSubscribedShape, subscriptionShape } from '../../shapes/stream.ts'
import { isKnownTo, type Stream } from '../access.ts'
import { colorOf } from '../colors.ts'
import { allStreams } from '../stored.ts'
import { streamTexts, streamViews, subscriptionSettingsView } from '../view.ts'
import { subscriberLists } from './subscriber-lists.ts'

const entries = {
  subscriptions: v.array(subscriptionShape),
  unsubscribed: v.array(subscriptionShape),
  never_subscribed: v.array(neverSubscribedShape),
}

/** The user's subscriptions, the streams they left, and those they could join. */
export const subscriptionState = statePart(entries, async (tx, { include_subscribers, capabilities }) => {
  if (isSpectator(tx.user)) return { subscriptions: await asSubscribed(tx), unsubscribed: [], never_subscribed: [] }
  const rows = await tx.db.selectFrom('subscription').selectAll().where('user_id', '=', tx.user.id).execute()
  const own = new Map(rows.map((row) => [row.stream_id, row]))
  const all = await allStreams.get(tx)
  const textOf = await streamTexts(tx, all)
  const isSubscribed = (id: number) => own.get(id)?.is_active === 1
  const known = all.filter(
    (stream) =>
      (stream.is_archived === 0 || capabilities.archived_channels === true) &&
      isKnownTo(stream, tx.user, isSubscribed(stream.id)),
  )
  const subscribers = include_subscribers
    ? await subscriberTexts(tx, known, include_subscribers === 'partial')
    : undefined
  const lists = { subscriptions: new JsonList(), unsubscribed: new JsonList(), never_subscribed: new JsonList() }
  const textOfSettings = settingsTexts()
  const turn = pacer(tx)
  for (const stream of known) {
    await turn()
    const row = own.get(stream.id)
    const settings = row && textOfSettings(row)
    const members = subscribers?.(stream.id)
    const list = isSubscribed(stream.id) ? 'subscriptions' : row ? 'unsubscribed' : 'never_subscribed'
    lists[list].add(textOf(stream), settings && members ? `${settings},${members}` : (settings ?? members))
  }
  const kept = (list: JsonList) => new KeptJson(async () => [list])
  return {
    subscriptions: kept(lists.subscriptions),
    unsubscribed: kept(lists.unsubscribed),
    never_subscribed: kept(lists.never_subscribed),
  }
})

/** Returns a function that serializes the settings of a subscription. Many are the same and share one text. */
function settingsTexts(): (row: Selectable<SubscriptionTable>) => string {
  const known = new Map<string, string>()
  return ({ user_id: _user, stream_id: _stream, ...settings }) => {
    const key = Object.values(settings).join()
    const text = known.get(key) ?? JSON.stringify(subscriptionSettingsView(settings)).slice(1, -1)
    known.set(key, text)
    return text
  }
}

/** Returns a function that serializes the subscribers of one of these streams. */
async function subscriberTexts(
  tx: Caller,
  streams: readonly Stream[],
  partial: boolean,
): Promise<(stream_id: number) => string> {
  const listOf = await subscriberLists(tx, streams, partial)
  return (stream_id) => JSON.stringify(listOf(stream_id)).slice(1, -1)
}

/**
 * Returns what people without an account may read, in the form of subscriptions, because clients show streams that
 * way.
 */
async function asSubscribed(reader: Caller) {
  const known = (await allStreams.get(reader)).filter((stream) => isKnownTo(stream, reader.user, false))
  const views = await streamViews(reader, known)
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
