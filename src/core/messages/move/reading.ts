import { visibleMessagesOf } from '../../access/visible-messages.ts'
import { emit } from '../../events/log/emit.ts'
import { type Context, onBehalfOf, type SystemTx, type Tx } from '../../kernel/context.ts'
import { MAX_ONE_BY_ONE } from '../../read-state/after-leaving.ts'
import { flagsEvent, storeRead } from '../../read-state/mark-messages.ts'
import { unreadAmong } from '../../read-state/unread-among.ts'
import type { Stream } from '../../streams/access.ts'
import { findUsers } from '../../users/access.ts'
import type { MovedMessage } from './selection.ts'

/** With more users than this, read state is updated after the move. */
const AT_ONCE = 50

/**
 * Marks moved messages as read for users who aren't subscribed to the new stream or can't see them there, so that they
 * aren't unread when those users subscribe. Returns false if there are too many users, and this is postponed. Until
 * then, the messages don't count as unread for them.
 */
export async function readOnMoving(
  tx: Tx,
  from: Stream,
  to: Stream,
  messages: readonly MovedMessage[],
): Promise<boolean> {
  const user_ids = await peopleToRead(tx, from, to, messages, AT_ONCE + 1)
  if (user_ids.length > AT_ONCE) return false
  await readMoved(tx, to, user_ids, messages)
  return true
}

/** The users affected by the move. */
export async function peopleToRead(
  { db }: Pick<Context, 'db'>,
  from: Stream,
  to: Stream,
  messages: readonly MovedMessage[],
  limit = MAX_ONE_BY_ONE,
): Promise<number[]> {
  if (messages.length === 0) return []
  let concerned = db
    .selectFrom('subscription')
    .select('user_id')
    .where('stream_id', '=', from.id)
    .where('is_active', '=', 1)
  if (to.history_public_to_subscribers) {
    concerned = concerned.where('user_id', 'not in', (eb) =>
      eb.selectFrom('subscription').select('user_id').where('stream_id', '=', to.id).where('is_active', '=', 1),
    )
  }
  const rows = await concerned.limit(limit).execute()
  return rows.map((row) => row.user_id)
}

/** Marks the messages as read for the users who don't see them in the new place. */
export async function readMoved(
  tx: SystemTx,
  to: Stream,
  user_ids: readonly number[],
  messages: readonly MovedMessage[],
): Promise<void> {
  const message_ids = messages.map((message) => message.id)
  const visible = to.history_public_to_subscribers ? undefined : await visibleMessagesOf(tx, to, user_ids, message_ids)
  const users = await findUsers(tx, user_ids)
  // Most users have the same messages unread, and share one event.
  const groups: { ids: readonly number[]; users: number[] }[] = []
  for (const user of users.values()) {
    const seen = new Set(visible?.get(user.id))
    const own = onBehalfOf(tx, user)
    const unread = (await unreadAmong(own, messages)).filter((message) => !seen.has(message.id))
    if (unread.length === 0) continue
    await storeRead(own, unread)
    const same = groups.find(({ ids }) => ids.length === unread.length && unread.every(({ id }, i) => id === ids[i]))
    if (same) same.users.push(user.id)
    else groups.push({ ids: unread.map(({ id }) => id), users: [user.id] })
  }
  for (const { ids, users } of groups) await emit(tx, flagsEvent('add', 'read', ids, false), { users })
}
