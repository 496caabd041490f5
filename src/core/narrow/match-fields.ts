import type { Caller } from '../context.ts'
import { highlightHtml, highlightPlain } from '../search/highlight.ts'
import { dialectOf } from '../store.ts'
import { displayTopicName } from '../topic-name.ts'

/** What search found in messages, as HTML with the folded parts marked. */
export async function matchFields(
  { db, chat }: Caller,
  message_ids: readonly number[],
  parts: readonly string[],
  options: { allow_empty_topic_name: boolean },
): Promise<Map<number, { match_content: string; match_subject: string }>> {
  if (message_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('message')
    .leftJoin('topic', 'topic.id', 'message.topic_id')
    .select(['message.id', 'message.rendered_content', 'topic.name as topic'])
    .where('message.id', 'in', dialectOf(chat).idsIn(message_ids))
    .orderBy('message.id')
    .execute()
  return new Map(
    rows.map(({ id, rendered_content, topic }) => {
      const subject = topic === null ? '' : displayTopicName(topic, options.allow_empty_topic_name)
      return [
        id,
        { match_content: highlightHtml(rendered_content, parts), match_subject: highlightPlain(subject, parts) },
      ]
    }),
  )
}
