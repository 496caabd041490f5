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

/** Clients that get notifications, and the settings that decide about them. */
export interface Receivers {
  /** `user` for everyone with an account. */
  table: 'web_push_subscription' | 'device' | 'user'
  /** For direct messages and mentions. */
  direct: keyof UserSettings
  followed: keyof UserSettings
  /** For streams without a setting of their own. It is off by default. */
  stream: keyof UserSettings
  /** The setting of a subscription. */
  chosen: 'desktop_notifications' | 'push_notifications' | 'email_notifications'
}

/** A message that may concern a client. */
export interface Candidate {
  receiver_id: number
  user_id: number
  message_id: number
  /** The setting that decides; undefined if the user wants notifications for the entire stream. */
  setting: keyof UserSettings | undefined
}

export type Sent = Pick<Selectable<MessageTable>, 'id' | 'sender_id' | 'conversation_id' | 'topic_id' | 'sent_at'>
type Receiver = Pick<Candidate, 'receiver_id' | 'user_id'> & { from: number }

/** Returns which of these messages concern which clients. */
export async function candidates(
  context: Context,
  messages: readonly Sent[],
  receivers: Receivers,
): Promise<Candidate[]> {
  const found: Candidate[] = []
  const add = (message: Sent, { from, ...receiver }: Receiver, setting: Candidate['setting']) => {
    if (message.id > from && message.sender_id !== receiver.user_id)
      found.push({ ...receiver, message_id: message.id, setting })
  }
  const direct = messages.filter(({ topic_id }) => topic_id === null)
  const inStreams = messages.filter(({ topic_id }) => topic_id !== null)
  const participants = await ofParticipants(context, direct, receivers)
  for (const message of direct) {
    for (const one of participants) {
      if (one.conversation_id === message.conversation_id) add(message, one.receiver, receivers.direct)
    }
  }
  const byId = new Map(inStreams.map((message) => [message.id, message]))
  for (const { message_id, receiver } of await ofMentioned(context, inStreams, receivers))
    add(byId.get(message_id)!, receiver, receivers.direct)
  const byPlace = groupBy(inStreams, ({ topic_id }) => topic_id)
  for (const { topic_id, receiver, setting, since } of await ofSubscribers(context, inStreams, receivers))
    for (const message of byPlace.get(topic_id)!) if (message.sent_at >= since) add(message, receiver, setting)
  return found
}

const columns = ['receiver.receiver_id', 'receiver.user_id', 'receiver.from'] as const
const receiverOf = ({ receiver_id, user_id, from }: Receiver): Receiver => ({ receiver_id, user_id, from })

function rowsOf(db: Context['db'], { table }: Receivers) {
  if (table === 'web_push_subscription')
    return db.selectFrom(table).select(['id as receiver_id', 'user_id', 'from_message_id as from'])
  if (table === 'user') {
    return db
      .selectFrom(table)
      .select((eb) => ['id as receiver_id', 'id as user_id', eb.lit(0 as number).as('from')])
      .where('is_active', '=', 1)
      .where('bot_type', 'is', null)
  }
  return db
    .selectFrom(table)
    .select((eb) => ['id as receiver_id', 'user_id', eb.fn.coalesce('push_from_message_id', eb.lit(0)).as('from')])
    .where('push_token_id', 'is not', null)
}

async function ofParticipants({ chat, db }: Context, messages: readonly Sent[], receivers: Receivers) {
  if (messages.length === 0) return []
  const conversations = messages.map(({ conversation_id }) => conversation_id)
  const rows = await db
    .selectFrom('direct_participant')
    .innerJoin(rowsOf(db, receivers).as('receiver'), 'receiver.user_id', 'direct_participant.user_id')
    .select(columns)
    .select('direct_participant.conversation_id')
    .where('direct_participant.conversation_id', 'in', dialectOf(chat).idsIn(conversations))
    .execute()
  return rows.map((row) => ({ conversation_id: row.conversation_id, receiver: receiverOf(row) }))
}

async function ofMentioned({ chat, db }: Context, messages: readonly Sent[], receivers: Receivers) {
  if (messages.length === 0) return []
  const rows = await db
    .selectFrom('message_flag')
    .innerJoin(rowsOf(db, receivers).as('receiver'), 'receiver.user_id', 'message_flag.user_id')
    .select(columns)
    .select(['message_flag.message_id', 'message_flag.flags'])
    .where('message_flag.message_id', 'in', dialectOf(chat).idsIn(messages.map(({ id }) => id)))
    .execute()
  return rows
    .filter(({ flags }) => flags & bits.mentioned)
    .map((row) => ({ message_id: row.message_id, receiver: receiverOf(row) }))
}

/**
 * Finds messages in streams with notifications on, except muted ones. Messages from before somebody followed their topic are none
 * of it: a mention follows a topic, and a busy server checks the messages before it only afterwards.
 */
async function ofSubscribers({ chat, db }: Context, messages: readonly Sent[], receivers: Receivers) {
  if (messages.length === 0) return []
  const rows = await db
    .selectFrom('topic')
    .innerJoin('subscription', 'subscription.stream_id', 'topic.stream_id')
    .innerJoin(rowsOf(db, receivers).as('receiver'), 'receiver.user_id', 'subscription.user_id')
    .leftJoin('user_topic', (join) =>
      join
        .onRef('user_topic.user_id', '=', 'receiver.user_id')
        .onRef('user_topic.stream_id', '=', 'topic.stream_id')
        .onRef('user_topic.topic_key', '=', 'topic.name_key'),
    )
    .select(columns)
    .select(['topic.id as topic_id', `subscription.${receivers.chosen} as chosen`, 'subscription.is_muted'])
    .select(['user_topic.visibility_policy as policy', 'user_topic.last_updated as changed_at'])
    .where('topic.id', 'in', dialectOf(chat).idsIn(messages.flatMap(({ topic_id }) => topic_id ?? [])))
    .where('subscription.is_active', '=', 1)
    // Otherwise each message would return all subscribers, and most of them want nothing.
    .where((eb) =>
      eb.or([
        eb('user_topic.visibility_policy', '=', FOLLOWED),
        eb(`subscription.${receivers.chosen}`, '=', 1),
        eb.and([
          eb(`subscription.${receivers.chosen}`, 'is', null),
          eb.exists(
            eb
              .selectFrom('user_setting')
              .select('user_setting.user_id')
              .whereRef('user_setting.user_id', '=', 'receiver.user_id')
              .where('user_setting.name', '=', receivers.stream)
              .where('user_setting.value', '=', 'true'),
          ),
        ]),
      ]),
    )
    .execute()
  return rows.flatMap(({ topic_id, chosen, is_muted, policy, changed_at, ...row }) => {
    if (policy === MUTED || (is_muted && policy !== UNMUTED && policy !== FOLLOWED)) return []
    const found: { setting: Candidate['setting']; since: number }[] = []
    if (policy === FOLLOWED) found.push({ setting: receivers.followed, since: changed_at ?? 0 })
    if (chosen === 1) found.push({ setting: undefined, since: 0 })
    if (chosen === null) found.push({ setting: receivers.stream, since: 0 })
    return found.map((each) => ({ topic_id, ...each, receiver: receiverOf(row) }))
  })
}
