import { type Client, type ClientState, isRefused, newId } from '../../../src/client/index.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { type Conversation, othersOf } from '../reading/conversations.ts'
import { perSession, type Session } from '../state/session.ts'
import { composerOf, emptying } from './compose.ts'
import { isGone } from './drafts.ts'

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
    { label: pieceTexts.schedule.inAnHour, at: new Date(now.getTime() + 3_600_000) },
    { label: pieceTexts.schedule.thisEvening, at: on(0, EVENING) },
    { label: pieceTexts.schedule.tomorrow, at: on(1, MORNING) },
    { label: pieceTexts.schedule.monday, at: on(toMonday, MORNING) },
  ]
  return times.filter(({ at }, i) => at > now && !(i === 3 && toMonday === 1))
}

/** As a field for a date and a time has it: the reader's own time, to the minute. */
export function fieldTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** A scheduling request without a response. The message may be scheduled, because the response may have been lost. */
const unanswered = perSession((): { request?: Unanswered | undefined } => ({}))
type NewScheduled = Parameters<Client['createScheduledMessage']>[0]

interface Unanswered {
  what: string
  message: NewScheduled
  key: string
}

/** Schedules the message. If that fails, the text stays. */
export async function sendAt(session: Session, at: Date): Promise<void> {
  const { content, target } = composerOf(session)
  const left = unanswered(session)
  const to = target.value
  if (!to) return
  const { client } = session
  const text = content.value
  const empty = emptying(session)
  const place =
    to.type === 'stream'
      ? { type: 'stream' as const, to: to.stream_id, topic: to.topic }
      : { type: 'direct' as const, to: [...to.user_ids] }
  const what = JSON.stringify({ ...place, text })
  const scheduled_delivery_timestamp = Math.floor(at.getTime() / 1000)
  if (left.request?.what !== what || !(await moveUnanswered(client, left.request, scheduled_delivery_timestamp))) {
    const asked = { what, message: { ...place, content: text, scheduled_delivery_timestamp }, key: newId() }
    left.request = asked
    await client.createScheduledMessage(asked.message, { idempotencyKey: asked.key })
  }
  left.request = undefined
  empty()
}

/** Repeats the request with its own key, then changes the time. Returns false if the message isn't scheduled. */
async function moveUnanswered(
  client: Client,
  { message, key }: Unanswered,
  scheduled_delivery_timestamp: number,
): Promise<boolean> {
  const known = await client.createScheduledMessage(message, { idempotencyKey: key }).catch((error: unknown) => {
    if (!isRefused(error)) throw error
  })
  if (!known) return false
  const { scheduled_message_id } = known
  return client.updateScheduledMessage({ scheduled_message_id, scheduled_delivery_timestamp }).then(() => true, isGone)
}
