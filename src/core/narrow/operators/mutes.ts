import type { Caller } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { visibility } from '../../streams/user-topics.ts'
import { column, type MessageRow, type Predicate } from './predicate.ts'
import { ofTopics } from './streams.ts'

interface TopicPolicy {
  stream_id: number
  topic_key: string
  policy: number
  topic_id: number | null
}

/** The caller's visibility policies; topics without messages have no id. */
const policiesOf = (caller: Caller): Promise<TopicPolicy[]> =>
  caller.db
    .selectFrom('user_topic')
    .leftJoin('topic', (join) =>
      join.onRef('topic.stream_id', '=', 'user_topic.stream_id').onRef('topic.name_key', '=', 'user_topic.topic_key'),
    )
    .select(['user_topic.stream_id', 'topic_key', 'visibility_policy as policy', 'topic.id as topic_id'])
    .where('user_topic.user_id', '=', caller.user.id)
    .execute()

const idsOf = (topics: readonly TopicPolicy[]): number[] =>
  topics.flatMap(({ topic_id }) => (topic_id === null ? [] : [topic_id]))
const placesOf = (topics: readonly TopicPolicy[]) =>
  topics.flatMap(({ topic_id: id, stream_id }) => (id === null ? [] : [{ id, stream_id }]))
const nameOf = (stream_id: number | null, topic_key: string | null): string => `${stream_id} ${topic_key}`
const namesOf = (topics: readonly TopicPolicy[]) => new Set(topics.map((t) => nameOf(t.stream_id, t.topic_key)))

export async function isFollowed(caller: Caller): Promise<Predicate> {
  const followed = (await policiesOf(caller)).filter((topic) => topic.policy === visibility.followed)
  const values = idsOf(followed)
  const names = namesOf(followed)
  return {
    sql: (row) => ofTopics(caller, row, values),
    matches: (message) => names.has(nameOf(message.stream_id, message.topic_key)),
    sources: [
      {
        by: 'topic_id',
        topics: placesOf(followed),
      },
    ],
  }
}

/** In a muted topic, or in a muted stream and not in an unmuted or followed topic. */
export async function isMuted(caller: Caller, { topicsOnly = false } = {}): Promise<Predicate> {
  const policies = await policiesOf(caller)
  const channels = topicsOnly ? [] : await subscriptionRowsOf(caller)
  const muted = policies.filter((topic) => topic.policy === visibility.muted)
  const exempt = policies.filter((topic) => topic.policy === visibility.unmuted || topic.policy === visibility.followed)
  const mutedChannels = channels.filter((row) => row.is_muted === 1).map((row) => row.stream_id)
  const { idsIn } = dialectOf(caller.chat)
  const [mutedNames, exemptNames, channelSet] = [namesOf(muted), namesOf(exempt), new Set(mutedChannels)]
  return {
    sql: (row) =>
      row.or([
        ofTopics(caller, row, idsOf(muted)),
        row.and([
          row(column(row, 'conversation_id'), 'in', idsIn(mutedChannels)),
          row.not(ofTopics(caller, row, idsOf(exempt))),
        ]),
      ]),
    sources: [
      { by: 'topic_id', topics: placesOf(muted) },
      { by: 'conversation_id', values: mutedChannels },
    ],
    matches({ stream_id, topic_key }) {
      const name = nameOf(stream_id, topic_key)
      if (mutedNames.has(name)) return true
      return stream_id !== null && channelSet.has(stream_id) && !exemptNames.has(name)
    },
  }
}

/** The home view: direct messages, and messages that are not muted in streams the caller is subscribed to. */
export async function isAtHome(caller: Caller): Promise<Predicate> {
  const muted = await isMuted(caller)
  const channels = (await subscriptionRowsOf(caller)).map((row) => row.stream_id)
  const known = new Set(channels)
  return {
    sql: (row) =>
      row.or([
        row(column(row, 'topic_id'), '=', 0),
        row.and([inStreamsOfKind(caller, row, channels), row.not(muted.sql(row))]),
      ]),
    matches: (message) => message.stream_id === null || (known.has(message.stream_id) && !muted.matches(message)),
  }
}

const inStreamsOfKind = (caller: Caller, row: MessageRow, stream_ids: readonly number[]) =>
  row(column(row, 'conversation_id'), 'in', dialectOf(caller.chat).idsIn(stream_ids))

const subscriptionRowsOf = (caller: Caller) =>
  caller.db
    .selectFrom('subscription')
    .select(['stream_id', 'is_muted'])
    .where('user_id', '=', caller.user.id)
    .where('is_active', '=', 1)
    .execute()
