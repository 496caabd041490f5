import type { Tx } from '../context.ts'
import { only } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { groupBy } from '../lists.ts'
import { isStarred } from '../read-state/flag-bits.ts'
import { flagsEvent } from '../read-state/mark-read.ts'
import { dialectOf } from '../store.ts'
import type { Stream } from './access.ts'
import { visibleMessagesOf } from './visible-messages.ts'

/** By user, the messages of a stream that they starred and can see. Stars stay when a message goes out of sight. */
export type StarsInSight = ReadonlyMap<number, readonly number[]>

/** Stars in a stream as they are in sight now: everybody's, or these users', and on all messages or on these. */
export async function starsInSight(
  tx: Tx,
  stream: Stream,
  { users, messages }: { users?: readonly number[]; messages?: readonly number[] } = {},
): Promise<StarsInSight> {
  if (stream.first_message_id === null) return new Map()
  const { idsIn } = dialectOf(tx.chat)
  let query = tx.db.selectFrom('message_flag').select(['user_id', 'message_id']).where(isStarred).orderBy('message_id')
  if (users) query = query.where('user_id', 'in', idsIn(users))
  if (messages) query = query.where('message_id', 'in', idsIn(messages))
  const all = await query.execute()
  if (all.length === 0) return new Map()
  // Stars are few: joined, the stream's messages would be walked, which may be millions.
  const inStream = await tx.db
    .selectFrom('message')
    .select('id')
    .where('id', 'in', idsIn([...new Set(all.map((row) => row.message_id))]))
    .where('conversation_id', '=', stream.id)
    .execute()
  const message_ids = inStream.map((row) => row.id)
  const here = new Set(message_ids)
  const starred = groupBy(
    all.filter((row) => here.has(row.message_id)),
    (row) => row.user_id,
    (row) => row.message_id,
  )
  const visible = await visibleMessagesOf(tx, stream, [...starred.keys()], message_ids)
  const inSight = new Map<number, number[]>()
  for (const [user_id, ids] of starred) {
    const seen = new Set(visible.get(user_id))
    inSight.set(
      user_id,
      ids.filter((id) => seen.has(id)),
    )
  }
  return inSight
}

const none: readonly number[] = []

/** Tells each user which of their stars went out of sight, and which came back. */
export async function emitStarChanges(tx: Tx, before: StarsInSight, after: StarsInSight): Promise<void> {
  for (const user_id of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(user_id) ?? none
    const is = after.get(user_id) ?? none
    const gone = was.filter((id) => !is.includes(id))
    const back = is.filter((id) => !was.includes(id))
    if (gone.length > 0) await emit(tx, flagsEvent('remove', 'starred', gone, false), only(user_id))
    if (back.length > 0) await emit(tx, flagsEvent('add', 'starred', back, false), only(user_id))
  }
}

/**
 * Messages are about to be deleted. Whoever starred one and is in its stream no longer will not get the event of that;
 * they are only told that their star is gone, if they could see it.
 */
export async function emitStarsRemoved(tx: Tx, stream_id: number, message_ids: readonly number[]): Promise<void> {
  const stream = await tx.db.selectFrom('stream').selectAll().where('id', '=', stream_id).executeTakeFirstOrThrow()
  const stars = await starsInSight(tx, stream, { messages: message_ids })
  if (stars.size === 0) return
  const subscribers = await tx.db
    .selectFrom('subscription')
    .select('user_id')
    .where('stream_id', '=', stream_id)
    .where('is_active', '=', 1)
    .where('user_id', 'in', dialectOf(tx.chat).idsIn([...stars.keys()]))
    .execute()
  const told = new Set(subscribers.map((row) => row.user_id))
  await emitStarChanges(tx, new Map([...stars].filter(([user_id]) => !told.has(user_id))), new Map())
}
