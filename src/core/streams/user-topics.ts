import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { type Db, fold, statement, type UserTopicTable } from '../../storage/index.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { MAX_TOPIC_LENGTH } from '../kernel/base/limits.ts'
import { storedTopicName } from '../kernel/base/topic-name.ts'
import type { Caller, SystemTx, Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id, maxCharacters, text } from '../kernel/fields.ts'
import { byDialect, dialectOf } from '../kernel/store.ts'
import { empty } from '../shapes/values.ts'
import { accessStream, accessStreamByName, type Stream } from './access.ts'

/** A user's visibility policy for a topic. Without a row, the stream decides. */
export const visibility = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const
export type Visibility = (typeof visibility)[keyof typeof visibility]

const topicName = v.pipe(text, v.trim(), maxCharacters(MAX_TOPIC_LENGTH))

/**
 * POST /user_topics: mutes, unmutes or follows a topic, which need not exist yet.
 *
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream
 */
export const updateUserTopic = action(
  {
    name: 'updateUserTopic',
    summary: 'Update personal preferences for a topic',
    params: v.object({
      stream_id: described(id, 'ID of the channel.'),
      topic: described(topicName, 'The topic, at most 60 characters. Only for channels.'),
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
 * PATCH /users/me/subscriptions/muted_topics: mutes or unmutes a topic. It predates visibility policies.
 *
 * @throws STREAM_DOES_NOT_EXIST
 * @throws BAD_REQUEST "Topic already muted", "Topic is not muted"
 */
export const muteTopic = action(
  {
    name: 'muteTopic',
    summary: 'Mute or unmute a topic',
    params: v.object({
      stream_id: described(v.nullish(id), 'ID of the channel.'),
      stream: described(v.nullish(text), 'Name of the channel, if `stream_id` is omitted.'),
      topic: described(topicName, 'The topic, at most 60 characters. Only for channels.'),
      op: described(v.picklist(['add', 'remove']), '"add" to mute the topic, "remove" to unmute it.'),
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

/** Stores a policy and emits the events to the writer. Returns false if it was set already. */
export async function setVisibility(
  tx: Tx,
  stream: Pick<Stream, 'id'>,
  name: string,
  visibility_policy: Visibility,
  onlyMuted = false,
): Promise<boolean> {
  const topic_name = storedTopicName(name)
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
    await put(tx, { ...key, topic_name, visibility_policy, last_updated })
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

const put = (tx: Tx, row: Selectable<UserTopicTable>) =>
  tx.db
    .insertInto('user_topic')
    .values(row)
    .onConflict((oc) =>
      oc
        .columns(['user_id', 'stream_id', 'topic_key'])
        .doUpdateSet({ visibility_policy: row.visibility_policy, last_updated: row.last_updated }),
    )
    .execute()

/** Follows or unmutes a topic for the writer unless that would lower their policy, or they have muted it. */
export async function raiseVisibility(
  tx: Tx,
  { stream_id, name: topic_name }: { stream_id: number; name: string },
  visibility_policy: Visibility,
): Promise<void> {
  const key = { user_id: tx.user.id, stream_id, topic_key: fold(topic_name) }
  const before = await tx.db
    .selectFrom('user_topic')
    .select(['visibility_policy', 'topic_name'])
    .where((eb) => eb.and(key))
    .executeTakeFirst()
  if (before && (before.visibility_policy === visibility.muted || before.visibility_policy >= visibility_policy)) return
  const row = { topic_name: before?.topic_name ?? topic_name, visibility_policy, last_updated: seconds(tx.chat.clock) }
  await put(tx, { ...key, ...row })
  await emit(tx, { type: 'user_topic', stream_id, ...row }, only(tx.user.id))
}

/**
 * Follows a topic for users who are mentioned in it, unless they follow or have muted it, or don't want that. Emits
 * one event for all of them.
 */
export async function followMentioned(
  tx: SystemTx,
  { stream_id, name: topic_name }: { stream_id: number; name: string },
  mentioned: readonly number[],
): Promise<void> {
  const topic_key = fold(topic_name)
  const user_ids = await whoFollow(tx, { stream_id, topic_key }, mentioned)
  if (user_ids.length === 0) return
  const { followed: visibility_policy } = visibility
  const last_updated = seconds(tx.chat.clock)
  const columns = ['user_id', 'stream_id', 'topic_key', 'topic_name', 'visibility_policy', 'last_updated'] as const
  await tx.db
    .insertInto('user_topic')
    .columns(columns)
    .expression((eb) =>
      eb
        .selectFrom('user')
        .select([
          'id',
          eb.val(stream_id).as('stream_id'),
          eb.val(topic_key).as('topic_key'),
          eb.val(topic_name).as('topic_name'),
          eb.val(visibility_policy).as('visibility_policy'),
          eb.val(last_updated).as('last_updated'),
        ])
        .where('id', 'in', dialectOf(tx.chat).idsIn(user_ids)),
    )
    .onConflict((oc) =>
      oc.columns(['user_id', 'stream_id', 'topic_key']).doUpdateSet({ topic_name, visibility_policy, last_updated }),
    )
    .execute()
  await emit(tx, { type: 'user_topic', stream_id, topic_name, last_updated, visibility_policy }, only(...user_ids))
}

interface TopicKey {
  stream_id: number
  topic_key: string
}

/** Users who follow a topic when they are mentioned. */
const following = (db: Db, { stream_id, topic_key }: TopicKey) =>
  db
    .selectFrom('user')
    .select('user.id')
    .where('user.bot_type', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('user_setting')
            .select('user_setting.user_id')
            .whereRef('user_setting.user_id', '=', 'user.id')
            .where('user_setting.name', '=', 'automatically_follow_topics_where_mentioned')
            .where('user_setting.value', '=', 'false'),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('user_topic')
            .select('user_topic.user_id')
            .whereRef('user_topic.user_id', '=', 'user.id')
            .where('user_topic.stream_id', '=', stream_id)
            .where('user_topic.topic_key', '=', topic_key)
            .where('user_topic.visibility_policy', '!=', visibility.unmuted),
        ),
      ),
    )

const follows = statement((db, p: TopicKey & { user_id: number }) => following(db, p).where('user.id', '=', p.user_id))
const whichFollow = byDialect(({ idsIn }) =>
  statement((db, p: TopicKey & { user_ids: readonly number[] }) =>
    following(db, p).where('user.id', 'in', idsIn(p.user_ids)),
  ),
)
/** Up to this many are looked up one by one. Most messages mention one or two users, and a list costs more. */
const FEW = 4

/** Returns which of these users follow a topic when they are mentioned, by ID. */
async function whoFollow({ chat, db }: SystemTx, topic: TopicKey, user_ids: readonly number[]): Promise<number[]> {
  const found: { id: number }[] = []
  if (user_ids.length > FEW) found.push(...(await whichFollow(chat)(db, { ...topic, user_ids })))
  else for (const user_id of user_ids) found.push(...(await follows(db, { ...topic, user_id })))
  return found.map(({ id }) => id).sort((a, b) => a - b)
}

/** Returns the ids of the users who follow a topic. */
export async function followersOf({ db }: Tx, stream_id: number, topic_key: string): Promise<number[]> {
  const rows = await db
    .selectFrom('user_topic')
    .select('user_id')
    .where('stream_id', '=', stream_id)
    .where('topic_key', '=', topic_key)
    .where('visibility_policy', '=', visibility.followed)
    .execute()
  return rows.map((row) => row.user_id)
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

/** Deletes the visibility policies for a stream's topics of these or all users, after they lost access to it. */
export async function forgetTopics(tx: Tx, stream_id: number, user_ids?: readonly number[]): Promise<void> {
  let query = tx.db.deleteFrom('user_topic').where('stream_id', '=', stream_id)
  if (user_ids) query = query.where('user_id', 'in', dialectOf(tx.chat).idsIn(user_ids))
  await query.execute()
}
