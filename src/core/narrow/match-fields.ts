import { displayTopicName } from '../kernel/base/topic-name.ts'
import type { Caller } from '../kernel/context.ts'
import { servedHtml } from '../kernel/public-url.ts'
import { dialectOf } from '../kernel/store.ts'
import { highlighter } from './search/highlight.ts'

export interface MatchFields {
  match_content: string
  match_subject: string
}

/** Search matches in messages, as HTML with the words highlighted. `turn` is awaited after each. */
export async function matchFields(
  { db, chat }: Caller,
  message_ids: readonly number[],
  parts: readonly string[],
  options: { allow_empty_topic_name: boolean },
  turn: () => Promise<void>,
): Promise<Map<number, MatchFields>> {
  if (message_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('message')
    .leftJoin('topic', 'topic.id', 'message.topic_id')
    .select(['message.id', 'message.rendered_content', 'topic.name as topic'])
    .where('message.id', 'in', dialectOf(chat).idsIn(message_ids))
    .orderBy('message.id')
    .execute()
  const mark = highlighter(parts)
  const found = new Map<number, MatchFields>()
  for (const { id, rendered_content, topic } of rows) {
    const subject = topic === null ? '' : displayTopicName(topic, options.allow_empty_topic_name)
    found.set(id, { match_content: mark.html(servedHtml(chat, rendered_content)), match_subject: mark.plain(subject) })
    await turn()
  }
  return found
}
