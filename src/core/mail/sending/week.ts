import { isSet, isUnset } from '../../../storage/index.ts'
import { messageRow, visibleTo } from '../../access/message-visibility.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Caller } from '../../kernel/context.ts'
import { isGuest } from '../../kernel/roles.ts'
import { messageViews } from '../../messages/view.ts'
import { unreadAmong } from '../../read-state/unread-among.ts'
import type { MessageView } from '../../shapes/message.ts'

const WEEK_SECONDS = 7 * 86_400
/** The week of a busy organization is shorter, so that a digest reads only this many messages. */
const MAX_MESSAGES = 20_000
/** Topics and channels in a digest, and the people named for a topic. */
const MAX_TOPICS = 5
const MAX_CHANNELS = 5
const MAX_PEOPLE = 3

const MUTED = 1

export interface LiveTopic {
  /** Messages of the week. */
  count: number
  /** The newest message of each of the people who wrote most. */
  newest: MessageView[]
}

/** What happened in the last week, as far as somebody can see it and has not muted it. */
export interface Week {
  /** Direct messages that are unread. */
  unread: number
  /** Messages in channels. */
  messages: number
  topics: LiveTopic[]
  channels: { id: number; name: string }[]
}

export async function weekOf(reader: Caller): Promise<Week> {
  const { db, chat } = reader
  const since = seconds(chat.clock) - WEEK_SECONDS
  const newest = await db
    .selectFrom('message')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  const range = { since, after: (newest?.id ?? 0) - MAX_MESSAGES }
  const topics = await topicsOf(reader, range)
  return {
    unread: await unreadDirect(reader, range),
    messages: topics.reduce((sum, { count }) => sum + Number(count), 0),
    topics: await withPeople(reader, topics.slice(0, MAX_TOPICS), range),
    channels: await newChannels(reader, since),
  }
}

interface Range {
  since: number
  /** Messages after this one. */
  after: number
}

/** Messages of others in the range that the reader can see. Messages of muted people are left out. */
const messagesIn = ({ db, user }: Caller, { since, after }: Range) =>
  db
    .selectFrom('message')
    .where('message.id', '>', after)
    .where('message.sent_at', '>=', since)
    .where('message.sender_id', '!=', user.id)
    .where('message.sender_id', 'not in', (eb) =>
      eb.selectFrom('muted_user').select('muted_user_id').where('user_id', '=', user.id),
    )
    .where(visibleTo(messageRow, user))

/** Topics of the reader's channels, the liveliest first. */
const topicsOf = (reader: Caller, range: Range) =>
  messagesIn(reader, range)
    .innerJoin('subscription', (join) =>
      join
        .onRef('subscription.stream_id', '=', 'message.conversation_id')
        .on('subscription.user_id', '=', reader.user.id)
        .on('subscription.is_active', '=', isSet),
    )
    .innerJoin('topic', 'topic.id', 'message.topic_id')
    .leftJoin('user_topic', (join) =>
      join
        .onRef('user_topic.stream_id', '=', 'message.conversation_id')
        .onRef('user_topic.topic_key', '=', 'topic.name_key')
        .on('user_topic.user_id', '=', reader.user.id),
    )
    .where((eb) =>
      eb.or([
        eb('user_topic.visibility_policy', '>', MUTED),
        eb.and([eb('subscription.is_muted', '=', isUnset), eb('user_topic.visibility_policy', 'is', null)]),
      ]),
    )
    .select('message.topic_id')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .groupBy('message.topic_id')
    .orderBy('count', 'desc')
    .orderBy('message.topic_id', 'desc')
    .execute()

async function withPeople(
  reader: Caller,
  topics: readonly { topic_id: number | null; count: number | string }[],
  range: Range,
): Promise<LiveTopic[]> {
  const found: LiveTopic[] = []
  for (const { topic_id, count } of topics) {
    const rows = await messagesIn(reader, range)
      .where('message.topic_id', '=', topic_id)
      .select((eb) => [eb.fn.max('message.id').as('id'), eb.fn.countAll<number | string>().as('count')])
      .groupBy('message.sender_id')
      .orderBy('count', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_PEOPLE)
      .execute()
    const ids = rows.map(({ id }) => id)
    const options = { apply_markdown: true, client_gravatar: true, allow_empty_topic_name: true }
    const views = new Map((await messageViews(reader, ids, options)).map((view) => [view.id, view]))
    const newest = ids.flatMap((id) => views.get(id) ?? [])
    if (newest.length > 0) found.push({ count: Number(count), newest })
  }
  return found
}

/** Returns how many direct messages from people are unread. */
async function unreadDirect(reader: Caller, range: Range): Promise<number> {
  const direct = await messagesIn(reader, range)
    .innerJoin('user', 'user.id', 'message.sender_id')
    .where('message.topic_id', 'is', null)
    .where('user.bot_type', 'is', null)
    .where('user.is_system_bot', '=', isUnset)
    .select(['message.id', 'message.sender_id', 'message.conversation_id', 'message.origin_id'])
    .orderBy('message.id')
    .execute()
  return (await unreadAmong(reader, direct)).length
}

/** Channels of the week that the reader can see: for guests, only their own. */
const newChannels = ({ db, user }: Caller, since: number): Promise<{ id: number; name: string }[]> =>
  db
    .selectFrom('stream')
    .select(['id', 'name'])
    .where('date_created', '>=', since)
    .where('is_archived', '=', isUnset)
    .where((eb) => eb.or([eb('creator_id', 'is', null), eb('creator_id', '!=', user.id)]))
    .where((eb) =>
      eb.or([
        ...(isGuest(user) ? [] : [eb('invite_only', '=', isUnset)]),
        eb.exists(
          eb
            .selectFrom('subscription')
            .select('subscription.stream_id')
            .whereRef('subscription.stream_id', '=', 'stream.id')
            .where('subscription.user_id', '=', user.id)
            .where('subscription.is_active', '=', isSet),
        ),
      ]),
    )
    .orderBy('name_key')
    .limit(MAX_CHANNELS)
    .execute()
