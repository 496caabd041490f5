import { can } from '../../access/permissions.ts'
import type { Tx } from '../../kernel/context.ts'
import { ChatError } from '../../kernel/errors.ts'
import type { Rendered } from '../../markup/context.ts'
import type { Stream } from '../../streams/access.ts'

/** With more recipients than this, a wildcard mention needs a permission. */
const MANY = 15

/** Throws where the writer may not use a wildcard mention in a large stream or topic. */
export async function requireWildcard(tx: Tx, stream: Stream, topic_id: number, rendered: Rendered): Promise<void> {
  if (rendered.streamWildcard && (await subscriberCount(tx, stream.id)) > MANY) {
    if (await can(tx, 'can_mention_many_users_group')) return
    throw new ChatError(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use stream wildcard mentions in this stream.',
    )
  }
  if (rendered.topicWildcard && (await topicParticipants(tx, topic_id)).length > MANY) {
    if (await can(tx, 'can_mention_many_users_group')) return
    throw new ChatError(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use topic wildcard mentions in this topic.',
    )
  }
}

async function subscriberCount(tx: Tx, stream_id: number): Promise<number> {
  const rows = await tx.db
    .selectFrom('subscription')
    .select('user_id')
    .where('stream_id', '=', stream_id)
    .where('is_active', '=', 1)
    .limit(MANY + 1)
    .execute()
  return rows.length
}

/** Returns the participants of a topic, whom a topic wildcard mentions: users who wrote or reacted in it. */
export async function topicParticipants(tx: Tx, topic_id: number): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('message')
    .select('sender_id as user_id')
    .where('topic_id', '=', topic_id)
    .union((eb) =>
      eb
        .selectFrom('reaction')
        .innerJoin('message', 'message.id', 'reaction.message_id')
        .select('reaction.user_id')
        .where('message.topic_id', '=', topic_id),
    )
    .execute()
  return rows.map((row) => row.user_id)
}
