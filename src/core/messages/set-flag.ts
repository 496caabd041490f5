import { messageRow, visibleTo } from '../access/message-visibility.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { uniqueSorted } from '../kernel/base/lists.ts'
import type { Tx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { isUnreadBy } from '../read-state/conditions.ts'
import { bits } from '../read-state/flag-bits.ts'
import { flagsEvent, type Markable, markRead, markUnread } from '../read-state/mark-messages.ts'

/** Flags that users set themselves. */
export const settable = ['read', 'starred', 'collapsed'] as const

export type SettableFlag = (typeof settable)[number]

export type FlagOp = 'add' | 'remove'

/** A message and its state for the caller. */
export interface Flagged extends Markable {
  topic_id: number | null
  flags: number
  unread: boolean
}

/** Returns the messages that the caller may see. */
export async function accessForFlags(tx: Tx, message_ids: readonly number[]): Promise<Flagged[]> {
  if (message_ids.length === 0) return []
  const rows = await tx.db
    .selectFrom('message')
    .leftJoin('message_flag', (join) =>
      join.onRef('message_flag.message_id', '=', 'message.id').on('message_flag.user_id', '=', tx.user.id),
    )
    .select(['message.id', 'message.sender_id', 'message.conversation_id', 'message.origin_id', 'message.topic_id'])
    .select((eb) => [
      eb.fn.coalesce('message_flag.flags', eb.lit(0)).as('flags'),
      isUnreadBy(messageRow, tx.user.id).as('unread'),
    ])
    .where('message.id', 'in', dialectOf(tx.chat).idsIn(message_ids))
    .where((eb) => visibleTo(eb, tx.user))
    .orderBy('message.id')
    .execute()
  return rows.map((row) => ({ ...row, unread: Boolean(row.unread) }))
}

/** Returns the messages in streams that the writer isn't subscribed to, where nothing is unread. */
async function outside(tx: Tx, messages: readonly Flagged[]): Promise<Flagged[]> {
  const inStreams = messages.filter((message) => message.topic_id !== null)
  if (inStreams.length === 0) return []
  const rows = await tx.db
    .selectFrom('subscription')
    .select('stream_id')
    .where('user_id', '=', tx.user.id)
    .where('stream_id', 'in', dialectOf(tx.chat).idsIn(uniqueSorted(inStreams.map((one) => one.conversation_id))))
    .where('is_active', '=', 1)
    .execute()
  const own = new Set(rows.map((row) => row.stream_id))
  return inStreams.filter((message) => !own.has(message.conversation_id))
}

/**
 * Sets or clears a flag of the writer, and notifies their clients. Returns how many messages it changed and could not
 * change.
 */
export async function setFlag(
  tx: Tx,
  messages: readonly Flagged[],
  op: FlagOp,
  flag: SettableFlag,
): Promise<{ changed: number; ignored: readonly Flagged[] }> {
  if (flag === 'read' && op === 'remove') {
    const ignored = await outside(tx, messages)
    const read = messages.filter((message) => !message.unread && !ignored.includes(message))
    return { changed: await markUnread(tx, read), ignored }
  }
  return { changed: await (flag === 'read' ? readThem(tx, messages) : mark(tx, messages, op, flag)), ignored: [] }
}

async function readThem(tx: Tx, messages: readonly Flagged[]): Promise<number> {
  const unread = messages.filter((message) => message.unread)
  await markRead(tx, unread)
  return unread.length
}

async function mark(
  tx: Tx,
  messages: readonly Flagged[],
  op: FlagOp,
  flag: Exclude<SettableFlag, 'read'>,
): Promise<number> {
  const bit = bits[flag]
  const changed = messages.filter((message) => ((message.flags & bit) !== 0) !== (op === 'add'))
  if (changed.length === 0) return 0
  const changedIds = changed.map((message) => message.id)
  await store(tx, changed, op, bit)
  await emit(tx, flagsEvent(op, flag, changedIds, false), only(tx.user.id))
  return changed.length
}

/** No row means no flag: a row is inserted with the first flag and deleted with the last. */
async function store(tx: Tx, messages: readonly Flagged[], op: FlagOp, bit: number): Promise<void> {
  const { rows, idsIn } = dialectOf(tx.chat)
  const flagged = messages.map(({ id, flags }) => [id, op === 'add' ? flags | bit : flags & ~bit])
  await tx.db
    .deleteFrom('message_flag')
    .where('user_id', '=', tx.user.id)
    .where('message_id', 'in', idsIn(messages.map((message) => message.id)))
    .execute()
  const kept = flagged.filter(([, flags]) => flags !== 0)
  if (kept.length === 0) return
  await tx.db
    .insertInto('message_flag')
    .columns(['user_id', 'message_id', 'flags'])
    .expression((eb) =>
      eb
        .selectFrom(rows(['message_id', 'flags'], kept).as('flagged'))
        .select([eb.val(tx.user.id).as('user_id'), 'flagged.message_id', 'flagged.flags']),
    )
    .execute()
}
