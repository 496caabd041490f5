import { type Signal, signal } from '@preact/signals'
import { perSession, type Session } from '../state/session.ts'

type Known = Signal<ReadonlySet<number>>

/** Who is in streams that somebody wrote in; asked for once, and again after somebody came or went. */
const subscribersByStream = perSession((session) => {
  const known = new Map<number, Known>()
  session.live.onChange((change) => {
    if (change.type === 'registered') known.clear()
    if (change.type === 'event' && change.event.type === 'subscription') known.clear()
  })
  return known
})

/** The ids of the people in a stream; nobody until they have been fetched. */
export function subscribersOf(session: Session, stream_id: number): Known {
  const all = subscribersByStream(session)
  const known = all.get(stream_id)
  if (known) return known
  const ids: Known = signal(new Set())
  all.set(stream_id, ids)
  session.client.getSubscribers({ stream_id }).then(
    ({ subscribers }) => (ids.value = new Set(subscribers)),
    // Without them people are in their usual order.
    () => all.delete(stream_id),
  )
  return ids
}
