import { type Signal, signal } from '@preact/signals'
import { perSession, type Session } from '../state/session.ts'

export interface Topic {
  name: string
  max_id: number
}

/** The topics of streams that somebody looked at, newest first; undefined until they are fetched. */
const topicsByStream = perSession((session) => {
  const known = new Map<number, Signal<readonly Topic[] | undefined>>()
  session.live.onChange((change) => {
    if (change.type === 'registered' && change.previous)
      for (const id of known.keys()) void fetchTopics(session, id, known.get(id)!)
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

export function topicsOf(session: Session, stream_id: number): Signal<readonly Topic[] | undefined> {
  const all = topicsByStream(session)
  const known = all.get(stream_id)
  if (known) return known
  const topics = signal<readonly Topic[] | undefined>(undefined)
  all.set(stream_id, topics)
  void fetchTopics(session, stream_id, topics)
  return topics
}

async function fetchTopics(
  { client }: Session,
  stream_id: number,
  into: Signal<readonly Topic[] | undefined>,
): Promise<void> {
  try {
    const { topics } = await client.getTopics({ stream_id, allow_empty_topic_name: true })
    into.value = topics
  } catch {
    // The connection is lost, or the stream is gone: what was known stays.
    into.value ??= []
  }
}

export function withNewest(topics: readonly Topic[], topic: Topic): readonly Topic[] {
  const isIt = ({ name }: Topic) => name.toLowerCase() === topic.name.toLowerCase()
  return [{ ...topic, name: topics.find(isIt)?.name ?? topic.name }, ...topics.filter((one) => !isIt(one))]
}
