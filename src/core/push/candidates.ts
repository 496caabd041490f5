import type { Selectable } from 'kysely'
import type { MessageTable } from '../../storage/index.ts'
import { groupBy } from '../kernel/base/lists.ts'
import type { Context } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { bits } from '../read-state/flag-bits.ts'
import type { UserSettings } from '../settings/user.ts'

const MUTED = 1
const UNMUTED = 2
const FOLLOWED = 3

/** A message that may concern a browser. */
export interface Candidate {
  subscription_id: number
  user_id: number
  message_id: number
  /** The setting that decides; undefined if the user wants notifications for the entire stream. */
  setting: keyof UserSettings | undefined
}

export type Sent = Pick<Selectable<MessageTable>, 'id' | 'sender_id' | 'conversation_id' | 'topic_id'>
type Browser = Pick<Candidate, 'subscription_id' | 'user_id'> & { from: number }

/** Returns which of these messages concern which browsers: the same messages that an open page would notify of. */
export async function candidates(context: Context, messages: readonly Sent[]): Promise<Candidate[]> {
  const found: Candidate[] = []
  const add = (message: Sent, { from, ...browser }: Browser, setting: Candidate['setting']) => {
    if (message.id > from && message.sender_id !== browser.user_id)
      found.push({ ...browser, message_id: message.id, setting })
  }
  const direct = messages.filter(({ topic_id }) => topic_id === null)
  const inStreams = messages.filter(({ topic_id }) => topic_id !== null)
  const participants = await ofParticipants(context, direct)
  for (const message of direct) {
    for (const one of participants) {
      if (one.conversation_id === message.conversation_id) add(message, one.browser, 'enable_desktop_notifications')
    }
  }
  const byId = new Map(inStreams.map((message) => [message.id, message]))
  for (const { message_id, browser } of await ofMentioned(context, inStreams))
    add(byId.get(message_id)!, browser, 'enable_desktop_notifications')
  const byPlace = groupBy(inStreams, ({ topic_id }) => topic_id)
  for (const { topic_id, browser, setting } of await ofSubscribers(context, inStreams))
    for (const message of byPlace.get(topic_id)!) add(message, browser, setting)
  return found
}

const browserColumns = ['browser.id as subscription_id', 'browser.user_id', 'browser.from_message_id as from'] as const
const browserOf = ({ subscription_id, user_id, from }: Browser): Browser => ({ subscription_id, user_id, from })

async function ofParticipants({ chat, db }: Context, messages: readonly Sent[]) {
  if (messages.length === 0) return []
  const conversations = messages.map(({ conversation_id }) => conversation_id)
  const rows = await db
    .selectFrom('direct_participant')
    .innerJoin('web_push_subscription as browser', 'browser.user_id', 'direct_participant.user_id')
    .select(browserColumns)
    .select('direct_participant.conversation_id')
    .where('direct_participant.conversation_id', 'in', dialectOf(chat).idsIn(conversations))
    .execute()
  return rows.map((row) => ({ conversation_id: row.conversation_id, browser: browserOf(row) }))
}

async function ofMentioned({ chat, db }: Context, messages: readonly Sent[]) {
  if (messages.length === 0) return []
  const rows = await db
    .selectFrom('message_flag')
    .innerJoin('web_push_subscription as browser', 'browser.user_id', 'message_flag.user_id')
    .select(browserColumns)
    .select(['message_flag.message_id', 'message_flag.flags'])
    .where('message_flag.message_id', 'in', dialectOf(chat).idsIn(messages.map(({ id }) => id)))
    .execute()
  return rows
    .filter(({ flags }) => flags & bits.mentioned)
    .map((row) => ({ message_id: row.message_id, browser: browserOf(row) }))
}

/** Finds messages in streams with notifications on, except muted ones. */
async function ofSubscribers({ chat, db }: Context, messages: readonly Sent[]) {
  if (messages.length === 0) return []
  const rows = await db
    .selectFrom('topic')
    .innerJoin('subscription', 'subscription.stream_id', 'topic.stream_id')
    .innerJoin('web_push_subscription as browser', 'browser.user_id', 'subscription.user_id')
    .leftJoin('user_topic', (join) =>
      join
        .onRef('user_topic.user_id', '=', 'browser.user_id')
        .onRef('user_topic.stream_id', '=', 'topic.stream_id')
        .onRef('user_topic.topic_key', '=', 'topic.name_key'),
    )
    .select(browserColumns)
    .select(['topic.id as topic_id', 'subscription.desktop_notifications as chosen', 'subscription.is_muted'])
    .select('user_topic.visibility_policy as policy')
    .where('topic.id', 'in', dialectOf(chat).idsIn(messages.flatMap(({ topic_id }) => topic_id ?? [])))
    .where('subscription.is_active', '=', 1)
    .execute()
  return rows.flatMap(({ topic_id, chosen, is_muted, policy, ...row }) => {
    if (policy === MUTED || (is_muted && policy !== UNMUTED && policy !== FOLLOWED)) return []
    const settings: Candidate['setting'][] = []
    if (policy === FOLLOWED) settings.push('enable_followed_topic_desktop_notifications')
    if (chosen === 1) settings.push(undefined)
    if (chosen === null) settings.push('enable_stream_desktop_notifications')
    return settings.map((setting) => ({ topic_id, setting, browser: browserOf(row) }))
  })
}
