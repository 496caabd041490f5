import type { Selectable } from 'kysely'
import type { StreamTable } from '../../storage/index.ts'
import { visibleTo } from '../access/message-visibility.ts'
import { visibleMessagesOf } from '../access/visible-messages.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { groupBy, uniqueSorted } from '../kernel/base/lists.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { User } from '../kernel/user.ts'
import { isStarred } from './flag-bits.ts'
import { flagsEvent } from './mark-messages.ts'

type Stream = Selectable<StreamTable>

/**
 * By user, the messages of a stream that they starred and can see. Stars are kept while a message is not visible to
 * the user.
 */
export type VisibleStars = ReadonlyMap<number, readonly number[]>

/** Visible stars in streams, for all users or these ones, on all messages or these ones. */
export async function visibleStars(
  tx: Tx,
  streams: readonly Stream[],
  { users, messages }: { users?: readonly number[]; messages?: readonly number[] } = {},
): Promise<VisibleStars> {
  const used = new Map(streams.filter((s) => s.first_message_id !== null).map((stream) => [stream.id, stream]))
  if (used.size === 0) return new Map()
  const { idsIn } = dialectOf(tx.chat)
  let query = tx.db
    .selectFrom('message_flag')
    // The join order matters: stars are few, while the streams may have millions of messages.
    .crossJoin('message')
    .select(['message_flag.user_id', 'message_flag.message_id', 'message.conversation_id'])
    .where(isStarred)
    .whereRef('message.id', '=', 'message_flag.message_id')
    .where('message.conversation_id', 'in', idsIn([...used.keys()]))
    .orderBy('message_flag.message_id')
  if (users) query = query.where('message_flag.user_id', 'in', idsIn(users))
  if (messages) query = query.where('message_flag.message_id', 'in', idsIn(messages))
  const inSight = new Map<number, number[]>()
  for (const [stream_id, starred] of groupBy(await query.execute(), (row) => row.conversation_id)) {
    const [people, ids] = [starred.map((row) => row.user_id), starred.map((row) => row.message_id)]
    const visible = await visibleMessagesOf(tx, used.get(stream_id)!, uniqueSorted(people), uniqueSorted(ids))
    for (const [user_id, own] of groupBy(starred, (row) => row.user_id)) {
      const seen = new Set(visible.get(user_id))
      const list = inSight.get(user_id) ?? []
      inSight.set(user_id, list)
      for (const { message_id } of own) if (seen.has(message_id)) list.push(message_id)
    }
  }
  return inSight
}

const none: readonly number[] = []

/** Emits to each user which of their starred messages became invisible, and which visible again. */
export async function emitStarChanges(tx: Tx, before: VisibleStars, after: VisibleStars): Promise<void> {
  for (const user_id of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(user_id) ?? none
    const is = after.get(user_id) ?? none
    const [had, has] = [new Set(was), new Set(is)]
    const gone = was.filter((id) => !has.has(id))
    const back = is.filter((id) => !had.has(id))
    if (gone.length > 0) await emit(tx, flagsEvent('remove', 'starred', gone, false), only(user_id))
    if (back.length > 0) await emit(tx, flagsEvent('add', 'starred', back, false), only(user_id))
  }
}

/**
 * Call it before messages are deleted. Users who starred one and have left its stream get no deletion event. They get
 * an event that removes the star if they could see the message.
 */
export async function emitStarsRemoved(tx: Tx, stream_id: number, message_ids: readonly number[]): Promise<void> {
  const stream = await tx.db.selectFrom('stream').selectAll().where('id', '=', stream_id).executeTakeFirstOrThrow()
  const stars = await visibleStars(tx, [stream], { messages: message_ids })
  if (stars.size === 0) return
  const subscribers = await tx.db
    .selectFrom('subscription')
    .select('user_id')
    .where('stream_id', '=', stream_id)
    .where('is_active', '=', 1)
    .where('user_id', 'in', dialectOf(tx.chat).idsIn([...stars.keys()]))
    .execute()
  const notified = new Set(subscribers.map((row) => row.user_id))
  await emitStarChanges(tx, new Map([...stars].filter(([user_id]) => !notified.has(user_id))), new Map())
}

/** Ids of the messages that a user starred and can see, ascending. */
export async function starredMessages(
  { chat, db }: Pick<Caller, 'chat' | 'db'>,
  user: Pick<User, 'id' | 'role'>,
): Promise<number[]> {
  const starred = await db
    .selectFrom('message_flag')
    .select('message_id')
    .where('message_flag.user_id', '=', user.id)
    .where(isStarred)
    .execute()
  if (starred.length === 0) return []
  const rows = await db
    .selectFrom('message')
    .select('message.id')
    .where('message.id', 'in', dialectOf(chat).idsIn(starred.map((row) => row.message_id)))
    .where((eb) => visibleTo(eb, user))
    .orderBy('message.id')
    .execute()
  return rows.map((row) => row.id)
}
