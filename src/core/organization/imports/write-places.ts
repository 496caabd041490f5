import type { RecordOf } from '../../../import/format.ts'
import { flag, fold, isSet, statement } from '../../../storage/index.ts'
import { periodsOfUser } from '../../events/log/audience.ts'
import { position } from '../../events/log/emit.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Tx } from '../../kernel/context.ts'
import { renderPlain } from '../../markup/render/render-plain.ts'
import { colorOf } from '../../streams/colors.ts'
import type { StreamSettings } from '../../streams/settings.ts'
import { invalidateStream, mutedStreams } from '../../streams/stored.ts'
import { countSubscribers } from '../../streams/subscriber-count.ts'
import type { Journal } from './journal.ts'

/** The ids that an import's messages have. */
export interface Range {
  first: number
  last: number
}

const policies = { muted: 1, unmuted: 2, followed: 3 } as const

/** Creates a channel; its messages come with the ids of the range. */
export async function writeChannel(
  tx: Tx,
  journal: Journal,
  { record, name, existing }: { record: RecordOf<'channel'>; name: string; existing: number | undefined },
): Promise<number> {
  if (existing !== undefined) {
    await journal.note(tx.db, 'channel', record.id, { id: existing, isNew: false })
    return existing
  }
  const { id } = await tx.db
    .insertInto('conversation')
    .values({ kind: 'stream', participant_key: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const description = record.description ?? ''
  const isPrivate = record.private === true
  await tx.db
    .insertInto('stream')
    .values({
      id,
      name,
      name_key: fold(name),
      description,
      rendered_description: renderPlain(description),
      creator_id: record.creator === undefined ? null : (journal.get('user', record.creator)?.id ?? null),
      date_created: Math.floor(record.created ?? seconds(tx.chat.clock)),
      invite_only: flag(isPrivate),
      is_web_public: flag(record.web_public === true && !isPrivate),
      history_public_to_subscribers: flag(!isPrivate || record.protected_history !== true),
      message_retention_days: record.retention_days ?? null,
      is_archived: flag(record.archived === true),
      first_message_id: null,
      topics_policy: 'inherit',
      is_recently_active: 1,
      settings: JSON.stringify(await settingsOf(tx, record)),
    })
    .execute()
  if (record.default && !isPrivate && !record.archived) {
    await tx.db.insertInto('default_stream').values({ stream_id: id }).execute()
  }
  invalidateStream(tx, id)
  await journal.note(tx.db, 'channel', record.id, { id, isNew: true })
  return id
}

/** A channel's own permissions, as far as they aren't the usual ones. */
async function settingsOf({ db }: Tx, { can_send = 'everyone' }: RecordOf<'channel'>): Promise<StreamSettings> {
  if (can_send === 'everyone') return {}
  const group = await db
    .selectFrom('user_group')
    .select('id')
    .where('name', '=', `role:${can_send}`)
    .where('is_system_group', '=', isSet)
    .executeTakeFirst()
  return group ? { can_send_message_group: group.id } : {}
}

const addRange = statement((db, p: { user_id: number; conversation_id: number; lo: number; hi: number }) =>
  db
    .insertInto('read_range')
    .values({ user_id: p.user_id, conversation_id: p.conversation_id, lo: p.lo, hi: p.hi })
    .onConflict((oc) => oc.doNothing()),
)

/** Everything that the import brings is read at first; what isn't is marked at the end. */
export async function readRange(
  tx: Tx,
  user_id: number,
  conversation_id: number,
  { first, last }: Range,
): Promise<void> {
  if (last >= first) await addRange(tx.db, { user_id, conversation_id, lo: first, hi: last })
}

type Pair = { user_id: number; stream_id: number }
const subscriptionOf = statement((db, p: Pair) =>
  db
    .selectFrom('subscription')
    .select('is_active')
    .where('user_id', '=', p.user_id)
    .where('stream_id', '=', p.stream_id),
)
const subscriptionCount = statement((db, p: { user_id: number }) =>
  db
    .selectFrom('subscription')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', p.user_id),
)
const insertSubscription = statement((db, p: Pair & { color: string; is_muted: 0 | 1; pin_to_top: 0 | 1 }) =>
  db.insertInto('subscription').values({
    user_id: p.user_id,
    stream_id: p.stream_id,
    is_active: 1,
    color: p.color,
    is_muted: p.is_muted,
    pin_to_top: p.pin_to_top,
  }),
)
const insertPeriod = statement((db, p: Pair & { from_message_id: number; from_event_id: number }) =>
  db.insertInto('subscription_period').values({
    user_id: p.user_id,
    stream_id: p.stream_id,
    from_message_id: p.from_message_id,
    from_event_id: p.from_event_id,
    to_message_id: null,
    to_event_id: null,
  }),
)
const isActive = statement((db, p: { id: number }) => db.selectFrom('user').select('is_active').where('id', '=', p.id))

/** Subscribes a user. In a channel with protected history, the messages determine what they received. */
export async function writeSubscription(
  tx: Tx,
  journal: Journal,
  record: RecordOf<'subscription'>,
  range: Range,
  isProtected: boolean,
): Promise<void> {
  const [user, stream] = [journal.get('user', record.user)!, journal.get('channel', record.channel)!]
  const source = `${record.channel}\n${record.user}`
  const [before] = await subscriptionOf(tx.db, { user_id: user.id, stream_id: stream.id })
  await readRange(tx, user.id, stream.id, range)
  if (before) return journal.note(tx.db, 'subscription', source, { id: user.id, isNew: false })
  const [{ count } = { count: 0 }] = await subscriptionCount(tx.db, { user_id: user.id })
  await insertSubscription(tx.db, {
    user_id: user.id,
    stream_id: stream.id,
    color: record.color ?? colorOf(count),
    is_muted: flag(record.muted === true),
    pin_to_top: flag(record.pinned === true),
  })
  if (!isProtected) {
    await insertPeriod(tx.db, {
      user_id: user.id,
      stream_id: stream.id,
      from_message_id: range.first,
      from_event_id: position(tx) + 1,
    })
  }
  await countIfActive(tx, user.id, stream.id, 1)
  periodsOfUser.invalidate(tx, user.id)
  mutedStreams.invalidate(tx, user.id)
  await journal.note(tx.db, 'subscription', source, { id: user.id, isNew: true })
}

/** Channels count the subscribers whose accounts are active. */
export async function countIfActive(tx: Tx, user_id: number, stream_id: number, by: 1 | -1): Promise<void> {
  const [user] = await isActive(tx.db, { id: user_id })
  if (user?.is_active) await countSubscribers(tx, [], new Map([[stream_id, by]]))
}

export async function writeTopicPolicy(tx: Tx, journal: Journal, record: RecordOf<'topic_policy'>): Promise<void> {
  const [user, stream] = [journal.get('user', record.user), journal.get('channel', record.channel)]
  if (!user || !stream || !(user.isNew || stream.isNew)) return
  await tx.db
    .insertInto('user_topic')
    .values({
      user_id: user.id,
      stream_id: stream.id,
      topic_name: record.topic,
      topic_key: fold(record.topic),
      visibility_policy: policies[record.policy],
      last_updated: seconds(tx.chat.clock),
    })
    .onConflict((oc) => oc.doNothing())
    .execute()
}

/** The conversation of these people, created at its first message. */
export async function conversationOf(
  tx: Tx,
  journal: Journal,
  user_ids: readonly number[],
  range: Range,
): Promise<number> {
  const participant_key = [...new Set(user_ids)].sort((a, b) => a - b).join(',')
  const known = journal.get('conversation', participant_key)
  if (known) return known.id
  const before = await tx.db
    .selectFrom('conversation')
    .select('id')
    .where('participant_key', '=', participant_key)
    .executeTakeFirst()
  let id = before?.id
  if (id === undefined) {
    const made = await tx.db
      .insertInto('conversation')
      .values({ kind: 'direct', participant_key })
      .returning('id')
      .executeTakeFirstOrThrow()
    id = made.id
    for (const user_id of new Set(user_ids))
      await tx.db.insertInto('direct_participant').values({ user_id, conversation_id: id }).execute()
  }
  for (const user_id of new Set(user_ids)) await readRange(tx, user_id, id, range)
  await journal.note(tx.db, 'conversation', participant_key, { id, isNew: before === undefined })
  return id
}
