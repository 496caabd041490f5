import { type Signal, signal } from '@preact/signals'
import { perSession } from '../state/session.ts'

/**
 * When the reader's last message in a channel came, by the ID of the channel, in milliseconds since 1970 by this
 * device's clock. Messages from before this page was opened are missing.
 */
export const sentInChannels = perSession((session): Signal<ReadonlyMap<number, number>> => {
  const times = signal<ReadonlyMap<number, number>>(new Map())
  session.live.onChange((change) => {
    if (change.type !== 'event' || change.event.type !== 'message') return
    const { message } = change.event
    if (message.type !== 'stream' || message.sender_id !== session.state.user_id) return
    times.value = new Map(times.peek()).set(message.stream_id, Date.now())
  })
  return times
})
