import * as v from 'valibot'
import { fold } from '../../storage/index.ts'
import { action } from '../action.ts'
import { seconds } from '../base/clock.ts'
import { MAX_TOPIC_LENGTH } from '../base/limits.ts'
import type { Caller, Tx } from '../context.ts'
import { badRequest } from '../errors.ts'
import { only } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { described, id, maxCharacters, text } from '../fields.ts'
import { empty } from '../shapes/values.ts'
import { dialectOf } from '../store.ts'
import { accessStream, accessStreamByName, type Stream } from './access.ts'

/** A user's visibility policy for a topic. No row means: as for its stream. */
export const visibility = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const
export type Visibility = (typeof visibility)[keyof typeof visibility]

const topicName = v.pipe(text, v.trim(), maxCharacters(MAX_TOPIC_LENGTH))

/**
 * POST /user_topics: mutes, unmutes or follows a topic, which need not exist yet.
 *
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown stream, or one the caller may not know of
 */
export const updateUserTopic = action(
  {
    name: 'updateUserTopic',
    summary: 'Update personal preferences for a topic',
    params: v.object({
      stream_id: described(id, 'Id of the stream.'),
      topic: described(topicName, 'The topic, at most 60 characters; only for streams.'),
      visibility_policy: described(v.picklist(Object.values(visibility)), '0 none, 1 muted, 2 unmuted, 3 followed.'),
    }),
    result: empty,
  },
  (caller, { stream_id, topic, visibility_policy }) =>
    caller.write(async (tx) => {
      await setVisibility(tx, await accessStream(tx, stream_id), topic, visibility_policy)
      return {}
    }),
)

/**
 * PATCH /users/me/subscriptions/muted_topics: the older form, before visibility policies.
 *
 * @throws STREAM_DOES_NOT_EXIST
 * @throws BAD_REQUEST "Topic already muted", "Topic is not muted"
 */
export const muteTopic = action(
  {
    name: 'muteTopic',
    summary: 'Mute or unmute a topic',
    params: v.object({
      stream_id: described(v.nullish(id), 'Id of the stream.'),
      stream: described(v.nullish(text), 'Name of the stream, where its id is not given.'),
      topic: described(topicName, 'The topic, at most 60 characters; only for streams.'),
      op: described(v.picklist(['add', 'remove']), 'Whether to mute or to unmute: add or remove.'),
    }),
    result: empty,
    errors: ['STREAM_DOES_NOT_EXIST'],
  },
  (caller, { stream_id, stream: name, topic, op }) =>
    caller.write(async (tx) => {
      if (stream_id == null && name == null) throw badRequest("Please supply 'stream'.")
      const stream = stream_id == null ? await accessStreamByName(tx, name!) : await accessStream(tx, stream_id)
      const muted = op === 'add'
      const changed = await setVisibility(tx, stream, topic, muted ? visibility.muted : visibility.inherit, !muted)
      if (!changed) throw badRequest(muted ? 'Topic already muted' : 'Topic is not muted')
      return {}
    }),
)

/** Stores a policy and emits the events to the writer; false when it was set already. */
export async function setVisibility(
  tx: Tx,
  stream: Pick<Stream, 'id'>,
  name: string,
  visibility_policy: Visibility,
  onlyMuted = false,
): Promise<boolean> {
  const topic_name = name === '(no topic)' ? '' : name
  const key = { user_id: tx.user.id, stream_id: stream.id, topic_key: fold(topic_name) }
  const before = await tx.db
    .selectFrom('user_topic')
    .select(['visibility_policy', 'topic_name'])
    .where((eb) => eb.and(key))
    .executeTakeFirst()
  const was = before?.visibility_policy ?? visibility.inherit
  if (was === visibility_policy || (onlyMuted && was !== visibility.muted)) return false
  const last_updated = seconds(tx.chat.clock)
  if (visibility_policy === visibility.inherit) {
    await tx.db
      .deleteFrom('user_topic')
      .where((eb) => eb.and(key))
      .execute()
  } else {
    await tx.db
      .insertInto('user_topic')
      .values({ ...key, topic_name, visibility_policy, last_updated })
      .onConflict((oc) =>
        oc.columns(['user_id', 'stream_id', 'topic_key']).doUpdateSet({ visibility_policy, last_updated }),
      )
      .execute()
  }
  await emit(
    tx,
    {
      type: 'user_topic',
      stream_id: stream.id,
      topic_name: before?.topic_name ?? topic_name,
      last_updated,
      visibility_policy,
      // For readers that only know muted topics.
      muted_topics: await mutedTopicsOf(tx),
    },
    only(tx.user.id),
  )
  return true
}

/** The caller's visibility policies, oldest topic of each stream first. */
export async function userTopicsOf({ db, user }: Caller) {
  return db
    .selectFrom('user_topic')
    .select(['stream_id', 'topic_name', 'last_updated', 'visibility_policy'])
    .where('user_id', '=', user.id)
    .orderBy('stream_id')
    .orderBy('topic_key')
    .execute()
}

/** Stream name, topic, time: the older form, of muted topics only. */
export async function mutedTopicsOf({ db, user }: Caller): Promise<[string, string, number][]> {
  const rows = await db
    .selectFrom('user_topic')
    .innerJoin('stream', 'stream.id', 'user_topic.stream_id')
    .select(['stream.name', 'topic_name', 'last_updated'])
    .where('user_id', '=', user.id)
    .where('visibility_policy', '=', visibility.muted)
    .orderBy('stream_id')
    .orderBy('topic_key')
    .execute()
  return rows.map((row) => [row.name, row.topic_name, row.last_updated])
}

/**
 * Deletes the visibility policies for a stream's topics of these users, or of everybody, when they may no longer know
 * of it.
 */
export async function forgetTopics(tx: Tx, stream_id: number, user_ids?: readonly number[]): Promise<void> {
  let query = tx.db.deleteFrom('user_topic').where('stream_id', '=', stream_id)
  if (user_ids) query = query.where('user_id', 'in', dialectOf(tx.chat).idsIn(user_ids))
  await query.execute()
}
