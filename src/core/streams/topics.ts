import * as v from 'valibot'
import { messageRow, visibleTo } from '../access/message-visibility.ts'
import { admitSpectators } from '../access/spectators.ts'
import { action } from '../kernel/action.ts'
import { displayTopicName } from '../kernel/base/topic-name.ts'
import { type Caller, inSnapshot } from '../kernel/context.ts'
import { bool, described, id } from '../kernel/fields.ts'
import { topicShape } from '../shapes/stream.ts'
import { accessStreamToRead } from './access.ts'

/**
 * GET /users/me/{stream_id}/topics: lists topics in which the caller can see a message, with the newest message first.
 *
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream
 * @example
 * const { topics } = await getTopics(caller, { stream_id })
 */
export const getTopics = action(
  {
    name: 'getTopics',
    summary: 'Get topics in a channel',
    params: v.object({
      stream_id: described(id, 'ID of the channel.'),
      allow_empty_topic_name: described(
        v.nullish(bool, false),
        'Whether to return empty topic names unchanged instead of as `realm_empty_topic_display_name`.',
      ),
    }),
    result: v.strictObject({ topics: v.array(topicShape) }),
    spectators: admitSpectators,
  },
  async (caller, { stream_id, allow_empty_topic_name }) => {
    const { id: known } = await accessStreamToRead(caller, stream_id)
    const { count } = await caller.db
      .selectFrom('topic')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('stream_id', '=', known)
      .executeTakeFirstOrThrow()
    const rows = await inSnapshot(caller, (reader) => topicsSeen(reader, known), { rows: count })
    return {
      topics: rows.map(({ name, max_id }) => ({
        name: displayTopicName(name, allow_empty_topic_name),
        max_id: max_id!,
      })),
    }
  },
)

/** Topics with the newest message in each that the reader can see. */
const topicsSeen = ({ db, user }: Caller, stream_id: number) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('topic')
        .select((t) => [
          'topic.name',
          // One index step for each topic, unless the caller may not see its newest messages.
          t
            .selectFrom('message')
            .select('message.id')
            .whereRef('message.topic_id', '=', 'topic.id')
            .where(visibleTo(messageRow, user))
            .orderBy('message.id', 'desc')
            .limit(1)
            .as('max_id'),
        ])
        .where('topic.stream_id', '=', stream_id)
        .as('seen'),
    )
    .select(['seen.name', 'seen.max_id'])
    .where('seen.max_id', 'is not', null)
    .orderBy('seen.max_id', 'desc')
    .execute()
