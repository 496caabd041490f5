import { isSet, isUnset } from '../../../storage/index.ts'
import { messageRow, visibleTo } from '../../access/message-visibility.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { nextTurn } from '../../kernel/base/timers.ts'
import type { Caller } from '../../kernel/context.ts'
import { isGuest } from '../../kernel/roles.ts'
import { messageViews } from '../../messages/view.ts'
import { unreadAmong } from '../../read-state/unread-among.ts'
import type { MessageView } from '../../shapes/message.ts'

const WEEK_SECONDS = 7 * 86_400
/** The week of a busy organization is shorter, so that a digest reads only this many messages. */
const MAX_MESSAGES = 20_000
/** Messages in one query, after which others are served. */
const SLICE = 1000
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
  const slices = slicesUpTo(newest?.id ?? 0, since)
  const topics = await topicsOf(reader, slices)
  return {
    unread: await unreadDirect(reader, slices),
    messages: topics.reduce((sum, { count }) => sum + count, 0),
    topics: await withPeople(reader, topics.slice(0, MAX_TOPICS)),
    channels: await newChannels(reader, since),
  }
}

/** Messages after the first id, up to the last, since a time. */
interface Slice {
  after: number
  to: number
  since: number
}

/** Returns the newest messages in parts. A query for all of them would delay others. */
function slicesUpTo(newest: number, since: number): Slice[] {
  const slices: Slice[] = []
  const end = Math.max(0, newest - MAX_MESSAGES)
  for (let to = newest; to > end; to -= SLICE) slices.push({ after: Math.max(end, to - SLICE), to, since })
  return slices
}

/** Messages of others in a slice that the reader can see. Messages of muted people are left out. */
const messagesIn = ({ db, user }: Caller, { since, after, to }: Slice) =>
  db
    .selectFrom('message')
    .where('message.id', '>', after)
    .where('message.id', '<=', to)
    .where('message.sent_at', '>=', since)
    .where('message.sender_id', '!=', user.id)
    .where('message.sender_id', 'not in', (eb) =>
      eb.selectFrom('muted_user').select('muted_user_id').where('user_id', '=', user.id),
    )
    .where(visibleTo(messageRow, user))

/** The messages of a topic, or a person's messages in it: how many there are, and the newest. */
interface Share {
  count: number
  newest: number
}

interface ActiveTopic extends Share {
  people: Map<number, Share>
}

/** The largest numbers first, and the newest of equal ones. */
const byCount = (a: Share, b: Share): number => b.count - a.count || b.newest - a.newest

/** Topics of the reader's channels, the liveliest first. */
async function topicsOf(reader: Caller, slices: readonly Slice[]): Promise<ActiveTopic[]> {
  const topics = new Map<number | null, ActiveTopic>()
  for (const slice of slices) {
    for (const { topic_id, sender_id, ...row } of await sharesIn(reader, slice)) {
      const share = { count: Number(row.count), newest: Number(row.newest) }
      const topic = topics.get(topic_id) ?? { count: 0, newest: share.newest, people: new Map() }
      const person = topic.people.get(sender_id) ?? { count: 0, newest: share.newest }
      // The first slice has the newest messages.
      for (const total of [topic, person]) total.count += share.count
      topic.newest = Math.max(topic.newest, share.newest)
      topics.set(topic_id, topic)
      topic.people.set(sender_id, person)
    }
    await nextTurn()
  }
  return [...topics.values()].sort(byCount)
}

const sharesIn = (reader: Caller, slice: Slice) =>
  messagesIn(reader, slice)
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
    .select(['message.topic_id', 'message.sender_id'])
    .select((eb) => [eb.fn.countAll<number | string>().as('count'), eb.fn.max('message.id').as('newest')])
    .groupBy(['message.topic_id', 'message.sender_id'])
    .execute()

async function withPeople(reader: Caller, topics: readonly ActiveTopic[]): Promise<LiveTopic[]> {
  const found: LiveTopic[] = []
  for (const { count, people } of topics) {
    const shares = [...people.values()].sort(byCount).slice(0, MAX_PEOPLE)
    const ids = shares.map(({ newest }) => newest)
    const options = { apply_markdown: true, client_gravatar: true, allow_empty_topic_name: true }
    const views = new Map((await messageViews(reader, ids, options)).map((view) => [view.id, view]))
    const newest = ids.flatMap((id) => views.get(id) ?? [])
    if (newest.length > 0) found.push({ count, newest })
  }
  return found
}

/** Returns how many direct messages from people are unread. */
async function unreadDirect(reader: Caller, slices: readonly Slice[]): Promise<number> {
  let unread = 0
  for (const slice of slices) {
    const direct = await messagesIn(reader, slice)
      .innerJoin('user', 'user.id', 'message.sender_id')
      .where('message.topic_id', 'is', null)
      .where('user.bot_type', 'is', null)
      .where('user.is_system_bot', '=', isUnset)
      .select(['message.id', 'message.sender_id', 'message.conversation_id', 'message.origin_id'])
      .orderBy('message.id')
      .execute()
    if (direct.length > 0) unread += (await unreadAmong(reader, direct)).length
    await nextTurn()
  }
  return unread
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
