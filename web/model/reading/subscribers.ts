import { type Signal, signal } from '@preact/signals'
import { perSession, type Session } from '../state/session.ts'

type Known = Signal<ReadonlySet<number>>

/** Subscribers of streams that the reader has written in. Fetched once, and again after a change. */
const subscribersByStream = perSession((session) => {
  const known = new Map<number, Known>()
  session.live.onChange((change) => {
    if (change.type === 'registered') known.clear()
    if (change.type === 'event' && change.event.type === 'subscription') known.clear()
  })
  return known
})

/** Returns the ids of a stream's subscribers; empty until they are fetched. */
export function subscribersOf(session: Session, stream_id: number): Known {
  const all = subscribersByStream(session)
  const known = all.get(stream_id)
  if (known) return known
  const ids: Known = signal(new Set())
  all.set(stream_id, ids)
  session.client.getSubscribers({ stream_id }).then(
    ({ subscribers }) => (ids.value = new Set(subscribers)),
    // Without these, users are in their usual order.
    () => all.delete(stream_id),
  )
  return ids
}
