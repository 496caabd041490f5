import { isSet, isUnset, statement } from '../../storage/index.ts'
import type { Caller } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'

/** How many messages of all channels together are looked at, the newest of each. More would make register slow. */
const MESSAGES = 2000
/** How many of one channel. */
const MOST = 200
const LEAST = 5

const openStreams = statement((db, _: object) =>
  db
    .selectFrom('stream')
    .select(['id', 'creator_id'])
    .where('is_web_public', '=', isSet)
    .where('is_archived', '=', isUnset),
)
const newestIn = statement((db, p: { stream_id: number; limit: number }) =>
  db
    .selectFrom('message')
    .select(['id', 'sender_id'])
    .where('conversation_id', '=', p.stream_id)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/**
 * Returns the users that people without an account see in web-public channels. They are the creators of the channels,
 * and the people who wrote, reacted or voted in the newest messages. Older messages name their senders themselves.
 */
export async function peopleInSight({ db, chat }: Caller): Promise<ReadonlySet<number>> {
  const seen = new Set<number>()
  const ids: number[] = []
  const streams = await openStreams(db, {})
  const limit = Math.max(LEAST, Math.min(MOST, Math.floor(MESSAGES / streams.length)))
  for (const { id: stream_id, creator_id } of streams) {
    if (creator_id !== null) seen.add(creator_id)
    for (const { id, sender_id } of await newestIn(db, { stream_id, limit })) {
      seen.add(sender_id)
      ids.push(id)
    }
  }
  const among = dialectOf(chat).idsIn(ids)
  const reactions = db.selectFrom('reaction').select('user_id').where('message_id', 'in', among)
  const answers = db.selectFrom('submessage').select('sender_id as user_id').where('message_id', 'in', among)
  for (const { user_id } of await reactions.union(answers).execute()) seen.add(user_id)
  return seen
}
