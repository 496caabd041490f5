import { topicsOf } from '../reading/topics.ts'
import type { Session } from '../state/session.ts'
import { best, folded } from './matching.ts'
import { MOST, type Suggestion } from './suggestion.ts'

/** Streams that `#name` may refer to, with the reader's own first. */
export function findStreams(session: Session, word: string): Suggestion[] {
  const query = word.replace(/^#(\*\*)?/, '')
  const { subscriptions, streams } = session.state
  const own = new Set(subscriptions.map(({ stream_id }) => stream_id))
  const all = [...subscriptions, ...streams.filter(({ stream_id }) => !own.has(stream_id))]
  const ordered = all.filter(({ is_archived }) => !is_archived)
  return best(ordered, folded(query), ({ name }) => name, MOST).map(({ name, description }) => ({
    label: name,
    detail: description,
    insert: `#**${name}** `,
  }))
}

/** Topics that `#stream>topic` may be meant for. */
export function findTopics(session: Session, word: string): Suggestion[] {
  const [, name = '', query = ''] = /^#(?:\*\*)?([^>]+)>(.*)$/u.exec(word) ?? []
  const stream = session.state.streams.find((one) => folded(one.name) === folded(name.trim()))
  if (!stream) return []
  const topics = topicsOf(session, stream.stream_id).value ?? []
  return best(topics, folded(query), (topic) => topic.name, MOST).map((topic) => ({
    label: topic.name || session.state.realm_empty_topic_display_name,
    detail: stream.name,
    insert: `#**${stream.name}>${topic.name}** `,
  }))
}
