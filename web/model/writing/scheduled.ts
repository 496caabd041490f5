import type { ClientState } from '../../../src/client/index.ts'
import { type Conversation, othersOf } from '../reading/conversations.ts'

export type Scheduled = ClientState['scheduled_messages'][number]

/** Where a scheduled message goes. */
export const scheduledConversation = (message: Scheduled, own: number): Conversation =>
  message.type === 'stream'
    ? { type: 'stream', stream_id: message.to, topic: message.topic }
    : { type: 'direct', user_ids: othersOf(message.to, own) }

const MORNING = 9
const EVENING = 19

/** Times that people often mean, each later than now. */
export function usualTimes(now: Date): { label: string; at: Date }[] {
  const on = (days: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
  const toMonday = (8 - now.getDay()) % 7 || 7
  const times = [
    { label: 'In an hour', at: new Date(now.getTime() + 3_600_000) },
    { label: 'This evening', at: on(0, EVENING) },
    { label: 'Tomorrow morning', at: on(1, MORNING) },
    { label: 'Monday morning', at: on(toMonday, MORNING) },
  ]
  return times.filter(({ at }, i) => at > now && !(i === 3 && toMonday === 1))
}

/** As a field for a date and a time has it: the reader's own time, to the minute. */
export function fieldTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
