import { type Signal, signal } from '@preact/signals'
import { perSession, type Session } from '../state/session.ts'
import type { Conversation } from './conversations.ts'
import { mutesOf } from './unread.ts'

export interface Topic {
  name: string
  max_id: number
}

type Topics = Signal<readonly Topic[] | undefined>

/** Topics that couldn't be fetched. They are fetched when the connection returns. */
const failedTopics = perSession(() => new WeakSet<Topics>())

/** The topics of the streams that were opened, newest first; undefined until they are fetched. */
const topicsByStream = perSession((session) => {
  const known = new Map<number, Topics>()
  session.live.onChange((change) => {
    const isNew = change.type === 'registered' && change.previous
    const isBack = change.type === 'connection' && change.connection.status === 'online'
    if (isNew || isBack)
      for (const [id, topics] of known)
        if (isNew || failedTopics(session).has(topics)) void fetchTopics(session, id, topics)
    if (change.type !== 'event') return
    const { event } = change
    if (event.type === 'message' && event.message.type === 'stream') {
      const { stream_id, subject, id } = event.message
      const topics = known.get(stream_id)
      if (topics?.value) topics.value = withNewest(topics.value, { name: subject, max_id: id })
    }
    const moved = event.type === 'update_message' && event.propagate_mode !== undefined
    if (!moved && event.type !== 'delete_message') return
    const touched = new Set([event.stream_id, ...(moved ? [event.new_stream_id] : [])])
    for (const id of touched) {
      const topics = id !== undefined && known.get(id)
      if (topics) void fetchTopics(session, id, topics)
    }
  })
  return known
})

/**
 * Returns the stream's most recent conversation that isn't muted; undefined if there is none.
 *
 * @param unread prefer one with unread messages
 */
export async function newestConversation(
  session: Session,
  stream_id: number,
  unread = false,
): Promise<Conversation | undefined> {
  const topics = await known(topicsOf(session, stream_id))
  const isMuted = mutesOf(session.state)
  const isUnread = (name: string) =>
    session.state.unread_msgs.streams.some((one) => one.stream_id === stream_id && one.topic === name)
  const shown = topics.filter(({ name }) => !isMuted(stream_id, name))
  const newest = (unread && shown.find(({ name }) => isUnread(name))) || shown[0]
  return newest && { type: 'stream', stream_id, topic: newest.name }
}

const known = <T>(value: Signal<T | undefined>): Promise<T> =>
  new Promise((resolve) => {
    const stop = value.subscribe((now) => {
      if (now === undefined) return
      resolve(now)
      queueMicrotask(() => stop())
    })
  })

export function topicsOf(session: Session, stream_id: number): Topics {
  const all = topicsByStream(session)
  const known = all.get(stream_id)
  if (known) return known
  const topics: Topics = signal(undefined)
  all.set(stream_id, topics)
  void fetchTopics(session, stream_id, topics)
  return topics
}

async function fetchTopics(session: Session, stream_id: number, into: Topics): Promise<void> {
  const failed = failedTopics(session)
  failed.delete(into)
  try {
    const { topics } = await session.client.getTopics({ stream_id, allow_empty_topic_name: true })
    into.value = topics
  } catch {
    // The connection is lost, or the stream is gone. Known topics stay.
    failed.add(into)
    into.value ??= []
  }
}

function withNewest(topics: readonly Topic[], topic: Topic): readonly Topic[] {
  const isIt = ({ name }: Topic) => name.toLowerCase() === topic.name.toLowerCase()
  return [{ ...topic, name: topics.find(isIt)?.name ?? topic.name }, ...topics.filter((one) => !isIt(one))]
}
